//! What the owner of a run is told without asking.

use serde::{Deserialize, Serialize};

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WorkflowEventKind {
    /// The run has its result.
    Completed,
    /// The run is over without one.
    Failed,
    /// A task that sleeps asks for attention; told at most once an hour.
    Attention,
}

impl WorkflowEventKind {
    /// The kind as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Attention => "attention",
        }
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        [Self::Completed, Self::Failed, Self::Attention].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An event for the owner of a run. That a run was cancelled is no event: whoever cancelled it knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WorkflowEvent {
    /// The same each time the event is delivered, to recognise repeats.
    pub key: String,
    /// The number of the event.
    pub id: i64,
    /// The run.
    pub run: i64,
    /// Its title.
    pub title: String,
    /// The agent that the run belongs to.
    pub agent: String,
    /// Who started it: mostly a conversation.
    pub owner: String,
    /// What has happened.
    pub kind: WorkflowEventKind,
    /// When, in milliseconds since 1970.
    pub at: i64,
}
