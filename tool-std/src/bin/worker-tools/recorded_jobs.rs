//! A recording as the model of jobs: each plays it from its own beginning.

use std::path::Path;

use tool_runtime::provider::{RecordedModel, RecordingError};
use tool_runtime::{BoxFuture, Delta, Item, Model, ModelError, ModelInfo, ModelRequest, ModelResponse};

/// Gives the answer that comes after those that the conversation holds, so that a job that goes on in another process goes on
/// in the recording too.
pub(crate) struct RecordedJobs {
    answers: Vec<String>,
}

impl RecordedJobs {
    /// # Errors
    ///
    /// As [`RecordedModel::from_file`].
    pub(crate) fn from_file(path: &Path) -> Result<Self, RecordingError> {
        RecordedModel::from_file(path)?;
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let answers = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self { answers: answers.map(str::to_owned).collect() })
    }
}

impl Model for RecordedJobs {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let given = responses(request.items);
            let answer = self.answers.get(given).ok_or_else(|| {
                let recorded = self.answers.len();
                ModelError::provider(
                    format!(
                        "the recording has run out: it holds {recorded} answers, and one more was asked for"
                    ),
                    false,
                )
            })?;
            let model = RecordedModel::from_text(answer)
                .map_err(|error| ModelError::provider(error.to_string(), false))?;
            model.respond(request, on_delta).await
        })
    }

    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::default()
    }
}

/// How many responses a conversation holds: the stretches of what a model wrote.
fn responses(items: &[Item]) -> usize {
    let is_written = |item: &Item| !matches!(item, Item::User(_) | Item::Result(_));
    let begins = |(at, item): (usize, &Item)| {
        is_written(item) && !at.checked_sub(1).is_some_and(|at| is_written(&items[at]))
    };
    items.iter().enumerate().filter(|&(at, item)| begins((at, item))).count()
}
