//! How a turn ended, and what it leaves.

use std::error::Error;
use std::fmt;

use crate::call::{CallError, Interrupted, ToolResult};
use crate::model::{Item, ModelError, StopReason, Usage};

use super::journal::JournalError;

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

impl Anchor {
    /// A response and the number of items that it covers.
    pub fn new(id: impl Into<String>, known: usize) -> Self {
        Self { id: id.into(), known }
    }
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
    /// A response was cut off: a text, which is then the outcome's; or calls, for the second time. None of them ran. Or the
    /// provider [paused](StopReason::Paused) and no round was left to go on.
    Cut(StopReason),
    /// The model wrote a call that its provider could not read, also after it was told so; or there was no round left for
    /// another try. No such call ran.
    MalformedCall {
        /// In the words of the provider.
        said: String,
        /// How often it happened in the turn.
        times: u32,
    },
    /// The final answer was not accepted, also after it was corrected once. The outcome's text is the answer.
    NotAccepted {
        /// What would have been said about it.
        reason: String,
    },
    /// A call failed in the same way as often as it may.
    RepeatedFailure {
        /// The call that failed last.
        call: CallSummary,
        /// How often.
        times: u32,
    },
    /// The host cancelled it.
    Cancelled(CancelledCalls),
    /// The model gave no response, also after it was asked again where that may help. This is the error of the last attempt.
    ModelFailed(ModelError),
}

impl Ending {
    /// The case as one word, for logs and journals.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::EndedByTool(_) => "ended_by_tool",
            Self::IterationLimit { .. } => "iteration_limit",
            Self::Cut(_) => "cut",
            Self::MalformedCall { .. } => "malformed_call",
            Self::NotAccepted { .. } => "not_accepted",
            Self::RepeatedFailure { .. } => "repeated_failure",
            Self::Cancelled(_) => "cancelled",
            Self::ModelFailed(_) => "model_failed",
        }
    }
}

/// Why a turn was broken off without an ending: the journal could not keep up with it.
#[derive(Debug)]
#[non_exhaustive]
pub struct TurnError {
    /// What the journal said.
    pub error: JournalError,
    /// The conversation so far. It can be sent again, and holds more than the journal.
    pub items: Vec<Item>,
    /// The results of the turn's calls so far.
    pub results: Vec<ToolResult>,
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the turn was broken off, since it could not be recorded: {}", self.error)
    }
}

impl Error for TurnError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
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
