//! From what a tool returns to the output of its call.

use crate::error::ToolError;
use crate::output::{CallOutput, IntoToolOutput, ToolOutput};
use crate::tool::BoxFuture;

use super::labels::{Finish, complete};

/// What a call gives in the end.
pub(super) type Outcome = BoxFuture<'static, Result<CallOutput, ToolError>>;

/// How the type `R` becomes an output with details of the type `D`.
pub struct Output<R, D> {
    into: fn(R) -> Result<ToolOutput<D>, ToolError>,
    finish: fn(ToolOutput<D>, Finish<D>) -> Result<CallOutput, ToolError>,
    pub(super) schema: fn() -> Option<serde_json::Value>,
}

impl<R, D> Clone for Output<R, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, D> Copy for Output<R, D> {}

/// The output of a tool that returns `R`, if that can be one.
#[must_use]
pub fn output<R: IntoToolOutput>() -> Output<R, R::Details> {
    Output {
        into: R::into_tool_output,
        finish: |output, finish| {
            let label = finish.and_then(|finish| complete(finish, &output.details));
            let mut output = CallOutput::from_tool(output)?;
            output.completed_activity = label;
            Ok(output)
        },
        schema: R::output_schema,
    }
}

/// Runs a call, if its future can be sent between threads.
pub fn run<F, D>(future: F, output: Output<F::Output, D>, finish: Finish<D>) -> Outcome
where
    F: Future + Send + 'static,
    D: 'static,
{
    Box::pin(async move {
        let returned = future.await;
        (output.finish)((output.into)(returned)?, finish)
    })
}
