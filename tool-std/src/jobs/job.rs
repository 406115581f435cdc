//! A job as it stands in the database.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::{Row, StateError, json};

/// How far a job is.
///
/// ```text
/// queued -> running -> succeeded | failed | stopped
///           running <-> waiting_on_user
/// queued -> failed | stopped
/// waiting_on_user -> stopped
/// ```
///
/// A job that succeeded, failed or was stopped stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JobStatus {
    /// It waits for a worker.
    Queued,
    /// A worker runs it, or will go on with it.
    Running,
    /// It has asked its owner something.
    WaitingOnUser,
    /// It is done and has a result.
    Succeeded,
    /// It is over without a result.
    Failed,
    /// It was stopped.
    Stopped,
}

impl JobStatus {
    /// The status as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::WaitingOnUser => "waiting_on_user",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// Whether it can still change.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::WaitingOnUser)
    }

    fn read(text: &str) -> Result<Self, StateError> {
        let all =
            [Self::Queued, Self::Running, Self::WaitingOnUser, Self::Succeeded, Self::Failed, Self::Stopped];
        all.into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| StateError::unreadable(format!("a job has the unknown status `{text}`")))
    }
}

/// Why a job failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobFailure {
    /// One word: how the turn ended (`iteration_limit`, `model_failed`, …), `stalled`, `no_progress`, `setup_failed`,
    /// `too_many_claims`.
    pub(crate) code: String,
    /// In words, without secrets and long ids.
    pub(crate) summary: String,
    /// Whether the same work may succeed later.
    pub(crate) retryable: bool,
}

impl JobFailure {
    pub(crate) fn new(code: &str, summary: impl AsRef<str>, retryable: bool) -> Self {
        Self { code: code.to_owned(), summary: without_secrets(summary.as_ref()), retryable }
    }
}

/// What is told of a failure, without secrets and long ids.
pub(crate) fn without_secrets(words: &str) -> String {
    /// The longest summary, in bytes.
    const MAX_SUMMARY: usize = 2_000;
    let mut words = super::redact::without_ids(&super::redact::redact(words).0);
    super::steps::cut(&mut words, MAX_SUMMARY);
    words
}

/// Tokens that the turns of a job have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobUsage {
    /// Responses of the model.
    pub(crate) responses: u64,
    /// Tokens read.
    pub(crate) input_tokens: u64,
    /// The part of them that came out of a cache.
    pub(crate) cached_input_tokens: u64,
    /// Tokens written.
    pub(crate) output_tokens: u64,
}

/// A row of `background_jobs`.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) title: String,
    pub(crate) task: String,
    pub(crate) template: Option<String>,
    pub(crate) profile: Option<String>,
    pub(crate) thread: i64,
    pub(crate) status: JobStatus,
    pub(crate) claims: i64,
    pub(crate) failures: i64,
    pub(crate) stalls: i64,
    pub(crate) first_turn: i64,
    pub(crate) turn: i64,
    pub(crate) turn_status: Option<String>,
    pub(crate) question: Option<Value>,
    pub(crate) progress: Option<Value>,
    pub(crate) usage: JobUsage,
    pub(crate) error: Option<JobFailure>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
}

/// Every column but the result, which may be long.
macro_rules! job_columns {
    () => {
        "id, agent, owner, title, task, template, profile, thread, status, claims, failures, stalls, \
         first_turn, turn, turn_status, question, progress, usage, error, created_at, updated_at"
    };
}
pub(crate) use job_columns;

impl Job {
    pub(crate) fn read(row: &Row) -> Result<Self, StateError> {
        let id = row.int("id")?;
        Ok(Self {
            id,
            agent: row.text("agent")?,
            owner: row.text("owner")?,
            title: row.text("title")?,
            task: row.text("task")?,
            template: row.optional_text("template")?,
            profile: row.optional_text("profile")?,
            thread: row.optional_int("thread")?.unwrap_or(id),
            status: JobStatus::read(&row.text("status")?)?,
            claims: row.int("claims")?,
            failures: row.int("failures")?,
            stalls: row.int("stalls")?,
            first_turn: row.int("first_turn")?,
            turn: row.int("turn")?,
            turn_status: row.optional_text("turn_status")?,
            question: json(row, "question")?,
            progress: json(row, "progress")?,
            usage: json(row, "usage")?.unwrap_or_default(),
            error: json(row, "error")?,
            created_at: row.int("created_at")?,
            updated_at: row.int("updated_at")?,
        })
    }
}
