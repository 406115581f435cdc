//! What stands between a call that is ready and its start.

use crate::call::{CallError, ToolCall, ToolResult};
use crate::tool::{BoxFuture, WorkerAgentTool};

/// Decides whether calls may start, and sees them off. Each call passes it alone; calls of a group at the same time.
pub(crate) trait Gate: Send + Sync {
    /// Whether it shows people the labels of calls, so that those nobody sees are not made.
    fn shows_labels(&self) -> bool;

    /// Asked when a call is about to start: its arguments are known to be good, and nothing of it has run. `None` lets it start
    /// at once. Cancelling the turn drops the question.
    ///
    /// # Errors
    ///
    /// The answer to a call that may not start.
    fn enter<'a>(&'a self, starting: Starting<'a>) -> Option<BoxFuture<'a, Result<(), CallError>>>;

    /// Told the result of a call that was let in, before any later call starts. `None` if that is all.
    fn leave<'a>(&'a self, result: &'a ToolResult) -> Option<BoxFuture<'a, ()>>;
}

/// A call that is about to start.
pub(crate) struct Starting<'a> {
    pub(crate) call: &'a ToolCall,
    pub(crate) tool: &'a WorkerAgentTool,
    /// The arguments that the tool will get.
    pub(crate) arguments: &'a str,
    /// The label that its row will have, if the gate shows labels.
    pub(crate) label: Option<String>,
}
