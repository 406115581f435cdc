//! Runs the calls of one response: in order, side by side where that is allowed, one result for each.

mod activity;
mod call;
mod direct;
mod gate;
mod group;
mod ids;
mod prepare;
mod resolve;
mod span;
mod wrapper;

pub(crate) use gate::{Gate, Starting};
pub use ids::unique_ids;
pub(crate) use ids::unique_shared_ids;
#[cfg(feature = "mcp")]
pub(crate) use resolve::unknown;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::arguments::Limits;
use crate::call::{CallError, Interrupted, ToolCall, ToolResult};
use crate::event::Events;
use crate::set::ToolSet;
use crate::spec::ExecutionMode;
use crate::tool::WorkerAgentTool;

use call::Surroundings;
use span::Values;

/// How calls are run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DispatchOptions {
    /// How many parallel calls run at once; 4 by default, at least 1.
    pub limit: usize,
    /// How long a cancelled call may go on before it is dropped; one second by default.
    pub grace: Duration,
    /// Bounds on the repair of arguments.
    pub argument_limits: Limits,
    /// Whether the spans of calls hold their arguments and outputs; they do not by default. Without the feature `tracing`
    /// there are no spans.
    pub trace_values: bool,
}

impl Default for DispatchOptions {
    fn default() -> Self {
        Self {
            limit: 4,
            grace: Duration::from_secs(1),
            argument_limits: Limits::default(),
            trace_values: false,
        }
    }
}

impl DispatchOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many parallel calls run at once.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets how long a cancelled call may go on.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Sets the bounds on the repair of arguments.
    #[must_use]
    pub fn argument_limits(mut self, limits: Limits) -> Self {
        self.argument_limits = limits;
        self
    }

    /// Sets whether the spans of calls hold their arguments and outputs.
    #[must_use]
    pub fn trace_values(mut self, trace_values: bool) -> Self {
        self.trace_values = trace_values;
        self
    }

    fn values(&self) -> Values {
        if self.trace_values { Values::Recorded } else { Values::LeftOut }
    }
}

/// Runs `calls` and returns one result for each, in the same order.
///
/// Neighbouring parallel calls run together, at most [`limit`](DispatchOptions::limit) at a time; a sequential call runs
/// alone, after all calls before it. Whatever happens to one call (unknown name, arguments that do not fit, failure, panic,
/// time-out) is its own result and disturbs no other.
///
/// A result that [ends the turn](ToolResult::ends_turn) lets the calls of its own group finish, those waiting for the limit
/// included; the calls after the group are answered with [`CallError::TurnEnded`]. A failed call ends nothing. Where several
/// calls of a group end the turn, the first in call order counts.
///
/// Ids that are empty or given twice are replaced, see [`unique_ids`]; each result carries its call.
///
/// An undeclared call named `parallel` or `multi_tool_use.parallel` that wraps calls of known tools is answered with the
/// results of the wrapped calls in one result.
///
/// # Cancel safety
///
/// When `cancel` fires, running calls see it in their context and have their [grace](DispatchOptions::grace) to return; then
/// they are dropped and give [`CallError::Cancelled`]. Finished calls keep their results, calls that have not started give
/// [`CallError::Cancelled`] too. Dropping the future drops the running calls at their next `await`.
pub async fn dispatch(
    set: &ToolSet,
    calls: Vec<ToolCall>,
    options: &DispatchOptions,
    events: &Events,
    cancel: &CancellationToken,
) -> Vec<ToolResult> {
    let mut calls = calls;
    unique_ids(&mut calls, |_| false);
    let calls = calls.into_iter().map(Arc::new).collect();
    let around =
        Surroundings { options: options.clone(), events: events.clone(), cancel: cancel.clone(), gate: None };
    dispatch_within(set, calls, around).await
}

/// [`dispatch`] of calls whose ids are unique, where each passes `gate` before it starts and after it is done.
pub(crate) async fn dispatch_through(
    gate: Arc<dyn Gate>,
    set: &ToolSet,
    calls: Vec<Arc<ToolCall>>,
    options: &DispatchOptions,
    events: &Events,
    cancel: &CancellationToken,
) -> Vec<ToolResult> {
    let around = Surroundings {
        options: options.clone(),
        events: events.clone(),
        cancel: cancel.clone(),
        gate: Some(gate),
    };
    dispatch_within(set, calls, around).await
}

/// The tool that a call means, whether it may run now or not.
pub(crate) fn tool_of<'a>(set: &'a ToolSet, call: &ToolCall) -> Option<&'a WorkerAgentTool> {
    let position = resolve::position(set, call.namespace.as_deref(), &call.name)?;
    set.tools().get(position)
}

/// Runs calls whose ids are unique.
async fn dispatch_within(set: &ToolSet, calls: Vec<Arc<ToolCall>>, around: Surroundings) -> Vec<ToolResult> {
    let (mut calls, wrappers) = wrapper::unwrap_calls(set, calls);
    if !wrappers.is_empty() {
        unique_shared_ids(&mut calls, |_| false);
    }
    let around = Arc::new(around);
    let mut results: Vec<ToolResult> = Vec::with_capacity(calls.len());
    let mut ended_by: Option<String> = None;
    let mut calls = calls.into_iter();
    while !calls.as_slice().is_empty() {
        let size = group_size(set, calls.as_slice());
        let group = calls.by_ref().take(size);
        let refusal = || match &ended_by {
            Some(by) => Some(CallError::TurnEnded { by: by.clone() }),
            None if around.cancel.is_cancelled() => Some(CallError::Cancelled(Interrupted::BeforeStart)),
            None => None,
        };
        if refusal().is_some() {
            results.extend(group.filter_map(|call| Some(ToolResult::refused(call, refusal()?))));
            continue;
        }
        let first = results.len();
        results.extend(group::run(set, group, &around).await);
        let ending = results.iter().skip(first).find(|result| result.ends_turn());
        ended_by = ending.map(|result| result.call.display_name());
    }
    wrapper::join_results(results, wrappers)
}

/// How many of the calls form the first group: neighbouring parallel calls together, a sequential call alone.
/// A call of an unknown tool runs nothing, so it stands in no one's way.
fn group_size(set: &ToolSet, calls: &[Arc<ToolCall>]) -> usize {
    let mode = |call: &ToolCall| {
        tool_of(set, call).map_or(ExecutionMode::Parallel, |tool| tool.spec().execution_mode)
    };
    let parallel = calls.iter().take_while(|call| mode(call) == ExecutionMode::Parallel).count();
    parallel.max(1)
}
