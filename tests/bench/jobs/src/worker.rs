//! A worker whose jobs make one call and say one word.

use std::sync::Arc;

use tool_runtime::{
    BoxFuture, CancellationToken, Delta, Item, Model, ModelError, ModelRequest, ModelResponse, ToolCall,
    ToolError, ToolSpec,
};
use tool_std::jobs::{JobKit, JobSpace, JobWorker};
use tool_std::state::State;

use crate::{AT_A_TIME, Failure};

/// Asks for one call, then says that it is done.
struct Brief;

impl Model for Brief {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        let has_called = request.items.iter().any(|item| matches!(item, Item::Result(_)));
        let item =
            if has_called { Item::assistant("done") } else { Item::call(ToolCall::new("c1", "clock", "{}")) };
        Box::pin(async move { Ok(ModelResponse::new(vec![item])) })
    }
}

pub async fn run(place: &str, folder: &str, limit: u32) -> Result<(), Failure> {
    let space = JobSpace::new(&State::open(place).await?, folder).running_per_agent(limit);
    let kit = |_| async {
        let clock = ToolSpec::new("clock", "Tells the time.")
            .read_only(true)
            .no_parameters()
            .execute(|_, _| async { Ok::<_, ToolError>("noon") });
        Ok(JobKit::new(Arc::new(Brief), vec![clock]))
    };
    let worker =
        JobWorker::new(&space, kit).concurrency(AT_A_TIME).problems(|problem| eprintln!("{problem}"));
    worker.run(&CancellationToken::new()).await;
    Ok(())
}
