//! Runs and tasks as they stand in the database.

use serde::{Deserialize, Serialize};

use crate::jobs::without_secrets;
use crate::state::{Row, StateError, json, to_json};

use super::program::{CallOutcome, KnownCall, Program, ProgramFailure};
use super::status::{RunStatus, TaskStatus};

/// Why a run or a task failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// One word.
    pub(crate) code: String,
    /// In words, without secrets.
    pub(crate) summary: String,
}

impl Failure {
    pub(crate) fn new(code: &str, summary: &str) -> Self {
        Self { code: code.to_owned(), summary: without_secrets(summary) }
    }

    pub(crate) fn to_json(&self) -> Result<String, StateError> {
        to_json(self)
    }
}

impl From<ProgramFailure> for Failure {
    fn from(failure: ProgramFailure) -> Self {
        Self::new(&failure.code, &failure.sentence)
    }
}

/// A row of `workflow_runs`, without its program and its result, which may be long.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) id: i64,
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) title: String,
    pub(crate) profile: Option<String>,
    pub(crate) agent_calls: i64,
    pub(crate) status: RunStatus,
    pub(crate) error: Option<Failure>,
}

macro_rules! run_columns {
    () => {
        "id, agent, owner, title, profile, agent_calls, status, error"
    };
}
pub(crate) use run_columns;

impl Run {
    pub(crate) fn read(row: &Row) -> Result<Self, StateError> {
        Ok(Self {
            id: row.int("id")?,
            agent: row.text("agent")?,
            owner: row.text("owner")?,
            title: row.text("title")?,
            profile: row.optional_text("profile")?,
            agent_calls: row.int("agent_calls")?,
            status: RunStatus::read(&row.text("status")?)?,
            error: json(row, "error")?,
        })
    }
}

/// The program of a run.
pub(crate) fn program(row: &Row) -> Result<Program, StateError> {
    let args = row.text("args")?;
    let args = serde_json::from_str(&args).map_err(|error| {
        StateError::unreadable(format!("the arguments of a workflow cannot be read: {error}"))
    })?;
    let seed = u32::try_from(row.int("seed")?).unwrap_or_default();
    Program::new(&row.text("script")?, Some(args), seed, row.int("began")?)
        .map_err(|error| StateError::unreadable(format!("the program of a workflow cannot be read: {error}")))
}

/// A row of `workflow_tasks`, without its value.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) id: i64,
    pub(crate) run: i64,
    pub(crate) agent: String,
    pub(crate) seq: i64,
    pub(crate) call: String,
    pub(crate) title: String,
    pub(crate) status: TaskStatus,
    pub(crate) claims: i64,
    pub(crate) losses: i64,
    pub(crate) attempts: i64,
    pub(crate) sleeps: i64,
    pub(crate) wake_at: Option<i64>,
    pub(crate) note: Option<String>,
    pub(crate) attention: bool,
    pub(crate) lease_until: Option<i64>,
    pub(crate) error: Option<Failure>,
}

macro_rules! task_columns {
    () => {
        "id, run, agent, seq, call, title, status, claims, losses, attempts, sleeps, wake_at, note, attention, lease_until, error"
    };
}
pub(crate) use task_columns;

impl Task {
    pub(crate) fn read(row: &Row) -> Result<Self, StateError> {
        Ok(Self {
            id: row.int("id")?,
            run: row.int("run")?,
            agent: row.text("agent")?,
            seq: row.int("seq")?,
            call: row.text("call")?,
            title: row.text("title")?,
            status: TaskStatus::read(&row.text("status")?)?,
            claims: row.int("claims")?,
            losses: row.int("losses")?,
            attempts: row.int("attempts")?,
            sleeps: row.int("sleeps")?,
            wake_at: row.optional_int("wake_at")?,
            note: row.optional_text("note")?,
            attention: row.int("attention")? == 1,
            lease_until: row.optional_int("lease_until")?,
            error: json(row, "error")?,
        })
    }
}

/// What a replay is told of a task.
pub(crate) fn known(row: &Row) -> Result<KnownCall, StateError> {
    let status = TaskStatus::read(&row.text("status")?)?;
    let outcome = match status {
        TaskStatus::Succeeded => Some(CallOutcome::Value(row.optional_text("value")?.unwrap_or_default())),
        status if status.is_live() => None,
        _ => Some(CallOutcome::Failed),
    };
    Ok(KnownCall { call: row.text("call")?, outcome })
}
