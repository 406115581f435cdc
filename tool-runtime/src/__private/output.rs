//! From what a tool returns to the output of its call.

use crate::error::ToolError;
use crate::output::{CallOutput, IntoToolOutput};
use crate::tool::{CompletedLabel, Work, finish};

/// The label to make when the call has worked, if anybody wants one.
pub(super) type Finish<D> = Option<CompletedLabel<D>>;

/// How the type `R`, whose details are `D`, becomes the output of a call.
pub struct Output<R, D> {
    finish: fn(R, Finish<D>) -> Result<CallOutput, ToolError>,
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
    Output { finish: |returned, label| finish(returned.into_tool_output()?, label), schema: R::output_schema }
}

/// The work of a call, if its future can be sent between threads.
pub fn run<F, D>(future: F, output: Output<F::Output, D>, label: Finish<D>) -> Work
where
    F: Future + Send + 'static,
    D: 'static,
{
    Box::pin(async move { (output.finish)(future.await, label) })
}
