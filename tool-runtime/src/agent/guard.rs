//! Notices a call that fails the same way again and again.

use std::collections::hash_map::{Entry, RandomState};
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use serde_json::Value;

use crate::call::{CallError, ToolCall, ToolResult};
use crate::dispatch::tool_of;
use crate::set::ToolSet;

use super::outcome::CallSummary;

/// From which failure on a call counts as stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailureLimits {
    /// The failure after which the model is told to try another way; 2 by default, 0 never tells it.
    pub warn_at: u32,
    /// The failure that ends the turn; 5 by default, 0 never ends it.
    pub stop_at: u32,
}

impl Default for FailureLimits {
    fn default() -> Self {
        Self { warn_at: 2, stop_at: 5 }
    }
}

impl FailureLimits {
    /// Warns at the one and ends the turn at the other; 0 does neither.
    #[must_use]
    pub fn new(warn_at: u32, stop_at: u32) -> Self {
        Self { warn_at, stop_at }
    }
}

/// What the guard has to say about a round.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Alarm {
    /// These calls failed again; tell the model.
    Warn(Vec<String>),
    /// This call has failed as often as it may.
    Stop(CallSummary),
}

/// Counts equal failures of equal calls.
///
/// A call that fails with another text, or succeeds, begins anew: something changes. So does every call once a tool that is
/// not read-only has worked, since that may be what the failing call was waiting for. Reading in between changes nothing, so
/// it does not hide a model that goes in circles. Of equal calls in one response, one counts.
#[derive(Debug, Default)]
pub(super) struct Guard {
    hasher: RandomState,
    /// How a call failed last, and how often in a row; calls and failures as hashes.
    failing: HashMap<u64, (u64, u32)>,
}

impl Guard {
    pub(super) fn look_at(
        &mut self,
        set: &ToolSet,
        results: &[ToolResult],
        limits: FailureLimits,
    ) -> Option<Alarm> {
        let mut seen = HashSet::new();
        let mut warn = Vec::new();
        let mut stop = None;
        for result in results.iter().filter(|result| is_of_the_call(result)) {
            if result.outcome.is_ok() && self.failing.is_empty() {
                // As mostly: there is nothing to forget.
                continue;
            }
            let call = self.hasher.hash_one((result.call.display_name(), same_arguments(&result.call)));
            let Err(error) = &result.outcome else {
                self.failing.remove(&call);
                if tool_of(set, &result.call).is_some_and(|tool| !tool.spec().read_only) {
                    self.failing.clear();
                }
                continue;
            };
            if !seen.insert(call) {
                continue;
            }
            let count = self.count(call, error);
            if count == limits.stop_at {
                stop = stop.or_else(|| Some(CallSummary::of(result)));
            } else if count == limits.warn_at {
                warn.push(result.call.display_name());
            }
        }
        warn.dedup();
        stop.map(Alarm::Stop).or_else(|| (!warn.is_empty()).then_some(Alarm::Warn(warn)))
    }

    /// How often the call has now failed this way.
    fn count(&mut self, call: u64, error: &CallError) -> u32 {
        let failure = self.hasher.hash_one((error.kind(), error.to_string()));
        match self.failing.entry(call) {
            Entry::Vacant(entry) => entry.insert((failure, 1)).1,
            Entry::Occupied(mut entry) => {
                let (last, count) = entry.get_mut();
                *count = if *last == failure { count.saturating_add(1) } else { 1 };
                *last = failure;
                *count
            }
        }
    }
}

/// Whether the result says something about the call, and not about the turn around it.
fn is_of_the_call(result: &ToolResult) -> bool {
    !matches!(
        result.outcome,
        Err(CallError::Cancelled(_)
            | CallError::TurnEnded { .. }
            | CallError::ResponseCut { .. }
            | CallError::LimitReached
            | CallError::NotRecorded
            | CallError::BrokenOff(_))
    )
}

/// Arguments that are made up anew for each try.
const VOLATILE: [&str; 6] = ["idempotency_key", "nonce", "request_id", "timestamp", "tool_call_id", "uuid"];

/// The arguments, spelled the same for calls that ask for the same.
fn same_arguments(call: &ToolCall) -> String {
    let text = call.input.as_str();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(mut arguments)) => {
            arguments.retain(|key, _| !VOLATILE.contains(&key.as_str()));
            let mut arguments = Value::Object(arguments);
            arguments.sort_all_objects();
            arguments.to_string()
        }
        _ => text.to_owned(),
    }
}
