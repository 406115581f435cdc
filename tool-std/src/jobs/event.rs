//! What the owner of a job is told without asking.

use serde::{Deserialize, Serialize};

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JobEventKind {
    /// The job has its result.
    Succeeded,
    /// The job is over without one.
    Failed,
    /// The job has asked something.
    Waiting,
}

impl JobEventKind {
    /// The kind as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Waiting => "waiting",
        }
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        [Self::Succeeded, Self::Failed, Self::Waiting].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// An event for the owner of a job. That a job was stopped is no event: whoever stopped it knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JobEvent {
    /// The same each time the event is delivered, to recognise repeats. `send_message_to_background_job` names it among the
    /// events that its result completes.
    pub key: String,
    /// The number of the event.
    pub id: i64,
    /// The job.
    pub job: i64,
    /// Its title.
    pub title: String,
    /// The agent that the job belongs to.
    pub agent: String,
    /// Who asked for it: mostly a conversation.
    pub owner: String,
    /// What has happened.
    pub kind: JobEventKind,
    /// When, in milliseconds since 1970.
    pub at: i64,
}
