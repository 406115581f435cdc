//! Work on files, on a thread of its own, that ends when nobody waits for it any more or it takes too long.

use std::time::{Duration, Instant};

use tool_runtime::{CancellationToken, ToolContext, ToolError};

/// How long one call may search or look for a line.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Tells blocking work whether to go on.
#[derive(Debug)]
pub(super) struct Stop {
    cancelled: CancellationToken,
    deadline: Instant,
}

/// Why work ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    Cancelled,
    OutOfTime,
}

/// Runs blocking work that asks now and then whether to go on.
///
/// # Errors
///
/// Those of `work`, and when it panics.
///
/// # Cancel safety
///
/// Dropping the future stops the work as cancelling the call does.
pub(super) async fn run<T: Send + 'static>(
    context: &ToolContext,
    work: impl FnOnce(&Stop) -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    let cancelled = context.cancellation().child_token();
    let _when_dropped = cancelled.clone().drop_guard();
    let stop = Stop { cancelled, deadline: Instant::now() + PATIENCE };
    context.run_blocking(move || work(&stop)).await?
}

impl Stop {
    /// Whether work may go on. To be asked every few files or blocks.
    pub(super) fn check(&self) -> Result<(), Stopped> {
        if self.cancelled.is_cancelled() {
            return Err(Stopped::Cancelled);
        }
        if Instant::now() >= self.deadline { Err(Stopped::OutOfTime) } else { Ok(()) }
    }
}

/// What a cancelled call gives. Nobody reads it, since the runtime answers for such a call.
pub(super) fn cancelled() -> ToolError {
    ToolError::new("the call was cancelled")
}
