//! Counts what the model of a job costs, while it runs.

use std::sync::{Arc, Mutex, PoisonError};

use tool_runtime::{BoxFuture, Delta, Model, ModelError, ModelInfo, ModelRequest, ModelResponse};

use crate::jobs::job::JobUsage;

/// A model that is counted.
pub(super) struct Metered {
    pub(super) model: Arc<dyn Model>,
    pub(super) usage: Arc<Mutex<JobUsage>>,
}

impl Model for Metered {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let response = self.model.respond(request, on_delta).await?;
            let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
            let cost = &response.usage;
            usage.responses = usage.responses.saturating_add(1);
            usage.input_tokens = usage.input_tokens.saturating_add(cost.input_tokens);
            usage.cached_input_tokens = usage.cached_input_tokens.saturating_add(cost.cached_input_tokens);
            usage.output_tokens = usage.output_tokens.saturating_add(cost.output_tokens);
            drop(usage);
            Ok(response)
        })
    }

    fn info(&self) -> ModelInfo<'_> {
        self.model.info()
    }
}
