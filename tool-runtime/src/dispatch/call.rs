//! One call from start to result: time, cancellation, panics, activity.

use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
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
#[derive(Clone)]
pub(super) struct Surroundings {
    pub(super) options: DispatchOptions,
    pub(super) events: Events,
    pub(super) cancel: CancellationToken,
    pub(super) gate: Option<Arc<dyn Gate>>,
}

/// A call that will run, unless the turn is cancelled first.
pub(super) struct PendingCall {
    call: ToolCall,
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
    pub(super) fn new(set: &ToolSet, call: ToolCall, around: &Surroundings) -> Result<Self, Box<ToolResult>> {
        let events = &around.events;
        let shows_labels = events.wanted() || around.gate.as_ref().is_some_and(|gate| gate.shows_labels());
        let progress = events.wanted().then(|| events.progress_of(&call.id));
        let context = ToolContext::new(&call.id, around.cancel.clone(), progress);
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
            Ok((tool, ready)) => Ok(Self { call, tool, ready, context }),
            Err(error) => Err(Box::new(ToolResult::refused(call, error))),
        }
    }

    pub(super) fn call(&self) -> &ToolCall {
        &self.call
    }

    /// Runs the call, if the gate lets it start, and tells the observer.
    pub(super) async fn run(self, around: &Surroundings) -> ToolResult {
        let Some(gate) = &around.gate else { return self.start(around).await };
        let Self { call, tool, ready, context } = self;
        let starting = Starting {
            call: &call,
            tool: &tool,
            arguments: ready.mended.as_deref().unwrap_or_else(|| call.input.as_str()),
            label: if gate.shows_labels() { label(tool.spec(), &ready.activity) } else { None },
        };
        if let Err(error) = enter(gate.as_ref(), starting, &around.cancel).await {
            let Ready { repairs, mended, .. } = ready;
            return ToolResult { repairs, arguments: mended, ..ToolResult::refused(call, error) };
        }
        let result = Self { call, tool, ready, context }.start(around).await;
        // The call is done; a gate that fails cannot change that.
        if let Ok(Some(mut told)) = caught(|| gate.leave(&result)) {
            let _ = caught_future(&mut told).await;
        }
        result
    }

    async fn start(self, around: &Surroundings) -> ToolResult {
        let Self { call, tool, ready, context } = self;
        let Ready { work, activity, repairs, mended } = ready;
        let spec = tool.spec();
        if around.cancel.is_cancelled() {
            let refused = ToolResult::refused(call, CallError::Cancelled(Interrupted::BeforeStart));
            return ToolResult { repairs, arguments: mended, ..refused };
        }
        let events = &around.events;
        if events.wanted() && !repairs.is_empty() {
            events.emit(EventKind::Repaired { call_id: call.id.clone(), repairs: repairs.clone() });
        }
        let row = Row::open(events, &call.id, spec, activity);
        let started = Instant::now();
        let limits = Limits { timeout: spec.timeout, grace: around.options.grace };
        let arguments = mended.as_deref().unwrap_or_else(|| call.input.as_str());
        let span = CallSpan::open(&call, spec, arguments, around.options.values());
        let mut outcome = span.around(supervise(work, &context, &around.cancel, &limits)).await;
        let elapsed = started.elapsed();
        bound(&mut outcome, spec.max_output);
        if let Ok(output) = &mut outcome {
            // A program goes on after its calls, so none of them can end the turn.
            output.ends_turn &= call.caller == Caller::Direct;
        }
        span.close(&outcome);
        row.close(events, &call.id, &outcome);
        ToolResult { call, outcome, repairs, arguments: mended, elapsed }
    }
}

/// Waits for the gate, unless the turn is cancelled first.
async fn enter(gate: &dyn Gate, starting: Starting<'_>, cancel: &CancellationToken) -> Result<(), CallError> {
    let spec = starting.tool.spec();
    let decided = async {
        match caught(|| gate.enter(starting))? {
            None => Ok(Ok(())),
            Some(mut decision) => caught_future(&mut decision).await,
        }
    };
    match cancel.run_until_cancelled(decided).await {
        None => Err(CallError::Cancelled(Interrupted::BeforeStart)),
        Some(Err(panic)) => {
            let name = spec.display_name().into_owned();
            Err(CallError::Denied { name, reason: format!("the host failed to decide (panic): {panic}") })
        }
        Some(Ok(decided)) => decided,
    }
}

/// Polls work to its end; a panic becomes an error of the call. What comes of it is bounded.
pub(super) fn finished(
    work: &mut Work,
    max_output: usize,
) -> impl Future<Output = Result<CallOutput, CallError>> {
    poll_fn(move |context| {
        // Put into its place from within, since a large value is moved again by each closure that returns it.
        let mut polled = Poll::Pending;
        if let Err(panic) = caught(|| polled = work.as_mut().poll(context)) {
            polled = Poll::Ready(Err(CallError::Panicked(panic)));
        }
        if let Poll::Ready(outcome) = &mut polled {
            bound(outcome, max_output);
        }
        polled
    })
}

/// Cuts what came of a call to what it may give the model.
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
    mut work: Work,
    context: &ToolContext,
    cancel: &CancellationToken,
    limits: &Limits,
) -> Result<CallOutput, CallError> {
    let running = cancel.run_until_cancelled(caught_future(&mut work));
    let ended = match limits.timeout {
        None => running.await.ok_or(Stop::Cancelled),
        Some(timeout) => match tokio::time::timeout(timeout, running).await {
            Ok(ended) => ended.ok_or(Stop::Cancelled),
            Err(_) => Err(Stop::TimedOut(timeout)),
        },
    };
    let stop = match ended {
        Ok(finished) => return finished.map_err(CallError::Panicked)?,
        Err(stop) => stop,
    };
    context.cancellation().cancel();
    if let Ok(Ok(Ok(output))) = tokio::time::timeout(limits.grace, caught_future(&mut work)).await {
        return Ok(output);
    }
    // What the work holds may panic when it is dropped; the call has failed either way.
    let _ = caught(move || drop(work));
    let interrupted =
        if context.is_blocking() { Interrupted::StillRunning } else { Interrupted::WhileRunning };
    Err(match stop {
        Stop::Cancelled => CallError::Cancelled(interrupted),
        Stop::TimedOut(after) => CallError::TimedOut { after, interrupted },
    })
}
