//! One call from start to result: time, cancellation, panics, activity.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::arguments::Decoded;
use crate::call::{CallError, Caller, Interrupted, Repair, ToolCall, ToolResult};
use crate::context::ToolContext;
use crate::event::{EventKind, Events};
use crate::output::CallOutput;
use crate::panic::{caught, caught_future};
use crate::set::ToolSet;
use crate::tool::{Activity, Work, WorkerAgentTool};

use super::DispatchOptions;
use super::activity::{Row, label};
use super::gate::{Gate, Starting};
use super::prepare::{decode, work};
use super::resolve;
use super::span::CallSpan;

/// What all calls of a response share.
pub(super) struct Surroundings {
    pub(super) options: DispatchOptions,
    pub(super) events: Events,
    pub(super) cancel: CancellationToken,
    pub(super) gate: Option<Arc<dyn Gate>>,
}

/// A call that will run, unless the turn is cancelled first.
pub(super) struct PendingCall {
    /// Its place in its group.
    index: usize,
    call: Arc<ToolCall>,
    tool: WorkerAgentTool,
    ready: Ready,
    context: ToolContext,
}

/// A call whose arguments are known to be good.
struct Ready {
    work: Work,
    /// The label before the call, if somebody will read it.
    activity: Activity,
    repairs: Vec<Repair>,
    /// The arguments that the tool gets, where they differ from what the model wrote.
    mended: Option<String>,
}

impl PendingCall {
    /// # Errors
    ///
    /// The result of a call that cannot run.
    pub(super) fn new(
        set: &ToolSet,
        index: usize,
        call: Arc<ToolCall>,
        around: &Surroundings,
    ) -> Result<Self, Box<ToolResult>> {
        let events = &around.events;
        let shows_labels = events.wanted() || around.gate.as_ref().is_some_and(|gate| gate.shows_labels());
        let progress = events.wanted().then(|| events.progress_of(&call.id));
        let context = ToolContext::new(Arc::clone(&call), around.cancel.clone(), progress);
        let limits = &around.options.argument_limits;
        let tool = resolve::tool(set, call.namespace.as_deref(), &call.name, &call.caller);
        let ready = tool.and_then(|tool| {
            let Decoded { text, repairs } = decode(tool, (&call.input).into(), limits)?;
            let mut activity = Activity::default();
            let label = shows_labels.then_some(&mut activity);
            let work = work(set, tool, &text, Some(&context), label)?;
            let mended = match text {
                Cow::Borrowed(_) => None,
                Cow::Owned(text) => Some(text),
            };
            Ok((tool.clone(), Ready { work, activity, repairs, mended }))
        });
        match ready {
            Ok((tool, ready)) => Ok(Self { index, call, tool, ready, context }),
            Err(error) => Err(Box::new(ToolResult::refused(call, error))),
        }
    }

    /// What its result answers, and where that stands in the group.
    pub(super) fn answers(&self) -> (usize, Arc<ToolCall>) {
        (self.index, Arc::clone(&self.call))
    }

    /// Runs the call, if the gate lets it start, and tells the observer. Gives the result and its place in the group.
    #[expect(
        clippy::manual_async_fn,
        reason = "it would hold the call twice, and a task moves its future several times"
    )]
    pub(super) fn run(
        mut self,
        around: Arc<Surroundings>,
    ) -> impl Future<Output = (usize, ToolResult)> + Send {
        async move {
            let refusal = match &around.gate {
                _ if around.cancel.is_cancelled() => Some(not_started()),
                Some(gate) => self.enter(gate.as_ref(), &around.cancel).await.err(),
                None => None,
            };
            let is_let_in = refusal.is_none();
            let (outcome, elapsed) = match refusal {
                Some(error) => (Err(error), Duration::ZERO),
                None if around.cancel.is_cancelled() => (Err(not_started()), Duration::ZERO),
                None => self.start(&around).await,
            };
            let (index, result) = self.close(outcome, elapsed);
            // The call is done; a gate that fails cannot change that.
            if let Some(gate) = around.gate.as_ref().filter(|_| is_let_in)
                && let Ok(Some(mut told)) = caught(|| gate.leave(&result))
            {
                let _ = caught_future(&mut told).await;
            }
            (index, result)
        }
    }

    /// The result of a call that waits while the turn is cancelled, and its place in the group.
    pub(super) fn cancelled(self) -> (usize, ToolResult) {
        self.close(Err(not_started()), Duration::ZERO)
    }

    fn close(mut self, outcome: Result<CallOutput, CallError>, elapsed: Duration) -> (usize, ToolResult) {
        let_go(&mut self.ready.work);
        let Self { index, call, ready: Ready { repairs, mended, .. }, .. } = self;
        (index, ToolResult { call, outcome, repairs, arguments: mended, elapsed })
    }

    /// Waits for the gate, unless the turn is cancelled first. `&mut` only because work is not `Sync`.
    async fn enter(&mut self, gate: &dyn Gate, cancel: &CancellationToken) -> Result<(), CallError> {
        let spec = self.tool.spec();
        let starting = Starting {
            call: &self.call,
            tool: &self.tool,
            arguments: self.arguments(),
            label: if gate.shows_labels() { label(spec, &self.ready.activity) } else { None },
        };
        let decided = match caught(|| gate.enter(starting)) {
            Ok(None) => return Ok(()),
            Ok(Some(mut decision)) => cancel.run_until_cancelled(caught_future(&mut decision)).await,
            Err(panic) => Some(Err(panic)),
        };
        match decided {
            None => Err(not_started()),
            Some(Err(panic)) => {
                let name = spec.display_name().into_owned();
                Err(CallError::Denied { name, reason: format!("the host failed to decide (panic): {panic}") })
            }
            Some(Ok(decided)) => decided,
        }
    }

    /// The work itself: what came of it, and how long it took.
    async fn start(&mut self, around: &Surroundings) -> (Result<CallOutput, CallError>, Duration) {
        let (call, spec, events) = (&self.call, self.tool.spec(), &around.events);
        let repairs = &self.ready.repairs;
        if events.wanted() && !repairs.is_empty() {
            events.emit(EventKind::Repaired { call_id: call.id.clone(), repairs: repairs.clone() });
        }
        let row = Row::open(events, &call.id, spec, &self.ready.activity);
        let span = CallSpan::open(call, spec, self.arguments(), around.options.values());
        let started = Instant::now();
        let limits = Limits { timeout: spec.timeout, grace: around.options.grace };
        let work = supervise(&mut self.ready.work, &self.context, &around.cancel, &limits);
        let mut outcome = span.around(work).await;
        let elapsed = started.elapsed();
        bound(&mut outcome, spec.max_output);
        if let Ok(output) = &mut outcome {
            // A program goes on after its calls, so none of them can end the turn.
            output.ends_turn &= call.caller == Caller::Direct;
        }
        span.close(&outcome);
        row.close(events, &call.id, &outcome);
        (outcome, elapsed)
    }

    /// The arguments that the tool gets.
    fn arguments(&self) -> &str {
        self.ready.mended.as_deref().unwrap_or_else(|| self.call.input.as_str())
    }
}

fn not_started() -> CallError {
    CallError::Cancelled(Interrupted::BeforeStart)
}

/// Work on its way to its end; a panic becomes an error of the call. What comes of it is bounded.
pub(super) struct Finished {
    pub(super) work: Work,
    pub(super) max_output: usize,
}

impl Future for Finished {
    type Output = Result<CallOutput, CallError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Put into its place from within, since a large value is moved again by each closure that returns it.
        let mut polled = Poll::Pending;
        if let Err(panic) = caught(|| polled = self.work.as_mut().poll(context)) {
            polled = Poll::Ready(Err(CallError::Panicked(panic)));
        }
        if let Poll::Ready(outcome) = &mut polled {
            bound(outcome, self.max_output);
        }
        polled
    }
}

/// Drops work that is over. What it holds may panic then, which changes nothing any more.
fn let_go(work: &mut Work) {
    let over = std::mem::replace(work, Box::pin(std::future::pending()));
    let _ = caught(move || drop(over));
}

/// Cuts what came of a call to what it may give the model.
#[inline]
pub(super) fn bound(outcome: &mut Result<CallOutput, CallError>, max_output: usize) {
    match outcome {
        Ok(output) => output.bound(max_output),
        Err(error) => error.bound(max_output),
    }
}

/// The time that a call has.
pub(super) struct Limits {
    pub(super) timeout: Option<Duration>,
    pub(super) grace: Duration,
}

/// Why a call has to stop before it is done.
enum Stop {
    Cancelled,
    TimedOut(Duration),
}

/// Runs `work` until it is done, its time is up or `cancel` fires. In the last two cases the tool sees it in its context and
/// has its grace; an output that it still gives counts, since the work behind it is done.
pub(super) async fn supervise(
    work: &mut Work,
    context: &ToolContext,
    cancel: &CancellationToken,
    limits: &Limits,
) -> Result<CallOutput, CallError> {
    let running = cancel.run_until_cancelled(caught_future(work));
    let ended = match limits.timeout {
        None => running.await.ok_or(Stop::Cancelled),
        // Boxed here and below, since timers are large and most calls do without.
        Some(timeout) => match Box::pin(tokio::time::timeout(timeout, running)).await {
            Ok(ended) => ended.ok_or(Stop::Cancelled),
            Err(_) => Err(Stop::TimedOut(timeout)),
        },
    };
    let stop = match ended {
        Ok(finished) => {
            let_go(work);
            return finished.map_err(CallError::Panicked)?;
        }
        Err(stop) => stop,
    };
    context.cancellation().cancel();
    if let Ok(Ok(Ok(output))) = Box::pin(tokio::time::timeout(limits.grace, caught_future(work))).await {
        return Ok(output);
    }
    let_go(work);
    let interrupted =
        if context.is_blocking() { Interrupted::StillRunning } else { Interrupted::WhileRunning };
    Err(match stop {
        Stop::Cancelled => CallError::Cancelled(interrupted),
        Stop::TimedOut(after) => CallError::TimedOut { after, interrupted },
    })
}
