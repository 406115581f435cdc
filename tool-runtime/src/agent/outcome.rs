//! How a turn ended, and what it leaves.

use crate::call::{CallError, Interrupted, ToolResult};
use crate::model::{Item, ModelError, StopReason, Usage};

/// What a turn leaves.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Why it is over.
    pub ending: Ending,
    /// What the model said to the user in its last response; empty if it said nothing.
    pub text: String,
    /// The whole conversation, what the turn began with included. With something new behind it, it is the input of a next
    /// turn.
    pub items: Vec<Item>,
    /// Where in `items` this turn begins.
    pub first_new: usize,
    /// The results of the turn's calls, in the order in which they stand in the conversation.
    pub results: Vec<ToolResult>,
    /// What all responses cost together.
    pub usage: Usage,
    /// How many responses the model gave.
    pub iterations: u32,
    /// The last response that a provider with a memory can build on.
    pub anchor: Option<Anchor>,
}

impl Outcome {
    /// What this turn added to the conversation.
    #[must_use]
    pub fn new_items(&self) -> &[Item] {
        self.items.get(self.first_new..).unwrap_or_default()
    }
}

/// A response that the provider knows, and how much of the conversation it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Anchor {
    /// The provider's id of the response.
    pub id: String,
    /// How many of the first items of the conversation it covers, its own included.
    pub known: usize,
}

/// Why a turn is over.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ending {
    /// The model asked for no call and was done.
    Finished,
    /// The result of a call ended it. Of several, the first in the order of the calls.
    EndedByTool(CallSummary),
    /// The model was not done after so many rounds. It was asked once for a summary without tools; that is the outcome's
    /// text. Calls that it made instead were not run.
    IterationLimit {
        /// How many rounds it had.
        limit: u32,
    },
    /// A response was cut off: a text, which is then the outcome's, or calls for the second time.
    Cut(StopReason),
    /// The host cancelled it.
    Cancelled(CancelledCalls),
    /// There is no response.
    ModelFailed(ModelError),
}

/// A call, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSummary {
    /// Its id in the conversation.
    pub call_id: String,
    /// The tool, as `namespace.name` or its bare name.
    pub tool: String,
}

impl CallSummary {
    pub(super) fn of(result: &ToolResult) -> Self {
        Self { call_id: result.call.id.clone(), tool: result.call.display_name() }
    }
}

/// The calls of a cancelled turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CancelledCalls {
    /// They were answered before the turn was cancelled, with an output or a failure of their own.
    pub answered: Vec<CallSummary>,
    /// They were stopped while they ran, or could not be stopped: they may have had effects.
    pub interrupted: Vec<CallSummary>,
    /// The part of the interrupted ones that could not be stopped and still run.
    pub still_running: Vec<CallSummary>,
    /// They never started.
    pub not_started: Vec<CallSummary>,
}

impl CancelledCalls {
    pub(super) fn of(results: &[ToolResult]) -> Self {
        let mut calls = Self::default();
        for result in results {
            let summary = CallSummary::of(result);
            match &result.outcome {
                Err(CallError::Cancelled(Interrupted::BeforeStart)) => calls.not_started.push(summary),
                Err(CallError::Cancelled(Interrupted::WhileRunning)) => calls.interrupted.push(summary),
                Err(CallError::Cancelled(Interrupted::StillRunning)) => {
                    calls.still_running.push(summary.clone());
                    calls.interrupted.push(summary);
                }
                _ => calls.answered.push(summary),
            }
        }
        calls
    }
}
