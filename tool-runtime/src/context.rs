//! What a running tool knows about its call.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::call::ToolCall;
use crate::error::{ToolError, ToolErrorKind};
use crate::panic::taken;

/// How far a call has come. Sent with [`ToolContext::progress`]; it reaches observers and MCP clients, never the model.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// A short text for a person.
    pub message: Option<String>,
    /// Steps done so far; rises from report to report.
    pub current: Option<f64>,
    /// Steps in all, where known.
    pub total: Option<f64>,
}

impl Progress {
    /// Progress told in words.
    pub fn message(message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), current: None, total: None }
    }

    /// Progress told in steps.
    #[must_use]
    pub fn steps(current: f64, total: f64) -> Self {
        Self { message: None, current: Some(current), total: Some(total) }
    }
}

/// Receives the progress of one call.
pub(crate) type ProgressSink = Box<dyn Fn(Progress) + Send + Sync>;

/// The context of one call: its id, its cancellation, its way to report progress. Cheap to clone.
pub struct ToolContext {
    /// Shared by all clones. That of a call which nobody watches is made when the first of them needs it.
    call: OnceLock<Arc<CallState>>,
}

#[derive(Default)]
struct CallState {
    /// The call itself; a call without a turn has none.
    call: Option<Arc<ToolCall>>,
    /// Fires when the turn is cancelled.
    turn: CancellationToken,
    /// Fires then too, and when this call's time is up; made when somebody asks for it.
    cancellation: OnceLock<CancellationToken>,
    progress: Option<ProgressSink>,
    /// Pieces of blocking work that still run.
    blocking: AtomicUsize,
}

impl ToolContext {
    /// The context of a call in a turn that `turn` cancels.
    pub(crate) fn new(call: Arc<ToolCall>, turn: CancellationToken, progress: Option<ProgressSink>) -> Self {
        let call = CallState {
            call: Some(call),
            turn,
            cancellation: OnceLock::new(),
            progress,
            blocking: AtomicUsize::new(0),
        };
        Self { call: OnceLock::from(Arc::new(call)) }
    }

    /// The context of a call without an id that nobody cancels or watches. It costs nothing unless the tool asks for it.
    pub(crate) fn unwatched() -> Self {
        Self { call: OnceLock::new() }
    }

    fn call(&self) -> &Arc<CallState> {
        self.call.get_or_init(Arc::default)
    }

    /// The id of the call, as the result will carry it.
    #[must_use]
    pub fn call_id(&self) -> &str {
        self.call().call.as_ref().map_or("", |call| &call.id)
    }

    /// Fires when the turn is cancelled or the tool's time is up. The tool then has its grace (one second by default) to
    /// clean up and return; after that its future is dropped at the next `await`.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        let call = self.call();
        call.cancellation.get_or_init(|| call.turn.child_token())
    }

    /// Whether the call was cancelled; to be asked in loops that do not await.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation().is_cancelled()
    }

    /// Tells observers how far the call has come. Never waits.
    pub fn progress(&self, progress: Progress) {
        if let Some(sink) = &self.call().progress {
            sink(progress);
        }
    }

    /// Runs blocking work on a thread made for it, so that other calls go on.
    ///
    /// A thread cannot be stopped from outside: when the call is cancelled while the work goes on, its result says so.
    /// Ask [`is_cancelled`](Self::is_cancelled) inside `work` now and then.
    ///
    /// # Errors
    ///
    /// When `work` panics, or the runtime shuts down before it has run.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let running = BlockingGuard::start(self.call());
        let task = tokio::task::spawn_blocking(move || {
            let value = work();
            drop(running);
            value
        });
        task.await.map_err(|error| {
            let what = match error.try_into_panic() {
                Ok(payload) => {
                    taken(payload);
                    "panicked"
                }
                Err(_) => "was not run, since the runtime shuts down",
            };
            ToolError::new(format!("the blocking work of the tool {what}")).with_kind(ToolErrorKind::Failed)
        })
    }

    /// Whether blocking work that this call started still runs.
    pub(crate) fn is_blocking(&self) -> bool {
        self.call().blocking.load(Ordering::Acquire) > 0
    }
}

impl Clone for ToolContext {
    fn clone(&self) -> Self {
        Self { call: OnceLock::from(Arc::clone(self.call())) }
    }
}

/// Counts one piece of blocking work for as long as it lives.
struct BlockingGuard(Arc<CallState>);

impl BlockingGuard {
    fn start(call: &Arc<CallState>) -> Self {
        call.blocking.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(call))
    }
}

impl Drop for BlockingGuard {
    fn drop(&mut self) {
        self.0.blocking.fetch_sub(1, Ordering::AcqRel);
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call_id", &self.call_id())
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}
