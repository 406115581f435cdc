//! When work on files has to end before it is done.

use std::time::{Duration, Instant};

use tool_runtime::{ToolContext, ToolError};

/// How long one call may search or look for a line.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Tells blocking work whether to go on.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    context: ToolContext,
    deadline: Instant,
}

/// Why work ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    Cancelled,
    OutOfTime,
}

impl Stop {
    /// Stops when the call is cancelled, or `patience` from now.
    pub(super) fn after(context: ToolContext, patience: Duration) -> Self {
        Self { context, deadline: Instant::now() + patience }
    }

    /// Whether work may go on. To be asked every few files or blocks.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.context.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        if Instant::now() >= self.deadline { Err(Stopped::OutOfTime) } else { Ok(()) }
    }
}

/// What a cancelled call gives. Nobody reads it, since the runtime answers for such a call.
pub(super) fn cancelled() -> ToolError {
    ToolError::new("the call was cancelled")
}
