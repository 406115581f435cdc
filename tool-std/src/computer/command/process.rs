//! Runs a command to its end on a thread of its own: reads what it writes, stops it when its time is up or nobody waits for
//! it any more, and leaves nothing of it running.

mod channel;
mod control;
mod first;
mod phase;
mod running;

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tool_runtime::CancellationToken;

use super::super::sandbox::{Confinement, Sandbox, SandboxReport};
use super::capture::{Capture, Output};
use super::environment::EnvironmentError;
use super::limit::ProcessLimit;
use super::temporary::TemporaryFolder;
use control::{Asked, Control};
use running::Running;

/// A command that can be started.
pub(super) struct Order {
    pub(super) sandbox: Arc<dyn Sandbox>,
    pub(super) within: Confinement,
    /// Removed when the command is gone.
    pub(super) temporary: Option<TemporaryFolder>,
    /// What the inner shell reads.
    pub(super) prologue: String,
    pub(super) capture: Capture,
    pub(super) timeout: Duration,
    /// Between being asked to end and being killed.
    pub(super) grace: Duration,
    pub(super) processes: u32,
}

/// How a command ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// As shells say it: 128 and the number of the signal, where one ended it.
    pub(super) code: i32,
    pub(super) duration: Duration,
    /// Whether its time was up.
    pub(super) timed_out: bool,
    /// How many programs were still running when the shell had ended, and were killed.
    pub(super) left_running: usize,
    /// How many of them could not be killed.
    pub(super) survivors: usize,
    pub(super) output: Output,
    pub(super) sandbox: SandboxReport,
    pub(super) limit: ProcessLimit,
}

/// Why a command did not run to an end.
#[derive(Debug)]
pub(super) enum Failure {
    /// It could not be started.
    Start(io::Error),
    /// There is no sandbox as it was chosen.
    NoSandbox(String),
    /// The environment cannot be made.
    Environment(EnvironmentError),
    /// The sandbox ended before the command began; with its words.
    Sandbox(String),
    /// It was cancelled.
    Cancelled,
}

/// Runs `order` to its end.
///
/// # Cancel safety
///
/// Once `cancellation` fires, the command is asked to end, killed soon after, and the result is [`Failure::Cancelled`].
/// Dropping the future kills everything that was started, before the drop returns, but for what is started in that moment;
/// the thread that ran the command kills that.
pub(super) async fn run(
    order: impl FnOnce() -> Result<Order, Failure> + Send + 'static,
    cancellation: &CancellationToken,
) -> Result<Ended, Failure> {
    let control = Arc::new(Control::new().map_err(Failure::Start)?);
    let (report, mut ended) = oneshot::channel();
    let theirs = Arc::clone(&control);
    let work = move || {
        // Nobody is there to hear it when the future was dropped.
        let _ = report.send(order().and_then(|order| Running::start(order, theirs)?.finish()));
    };
    thread::Builder::new().name("command".to_owned()).spawn(work).map_err(Failure::Start)?;
    let control = control.kill_on_drop();
    let ended = tokio::select! {
        biased;
        ended = &mut ended => ended,
        () = cancellation.cancelled() => {
            control.ask(Asked::ToCancel);
            ended.await
        }
    };
    ended.unwrap_or_else(|_| Err(Failure::Start(io::Error::other("the thread of the command panicked"))))
}
