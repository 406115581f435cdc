//! What was said and done, for those who look.

use serde_json::Value;

use crate::jobs::space::JobSpace;
use crate::jobs::steps::Recorded;
use crate::state::{Row, StateError, Tx, args};

/// How many steps of a job are kept.
const KEPT: i64 = 400;

/// A step as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct StoredStep {
    pub(crate) body: Value,
}

impl StoredStep {
    fn read(row: &Row) -> Result<Self, StateError> {
        let body = row.text("body")?;
        let body = serde_json::from_str(&body)
            .map_err(|error| StateError::unreadable(format!("a step of a job cannot be read: {error}")))?;
        Ok(Self { body })
    }
}

/// Writes steps down, in the place of what stood there of the same ones.
pub(super) async fn store(tx: &mut Tx, thread: i64, recorded: &Recorded) -> Result<(), StateError> {
    let Some(last) = recorded.steps.last().map(|step| step.seq) else { return Ok(()) };
    for step in &recorded.steps {
        tx.run(
            "INSERT INTO background_job_steps (thread, turn, seq, body) VALUES ($1, $2, $3, $4)
             ON CONFLICT (thread, turn, seq) DO UPDATE SET body = excluded.body",
            args![thread, recorded.turn, step.seq, &step.body.to_string()],
        )
        .await?;
    }
    tx.run("DELETE FROM background_job_steps WHERE thread = $1 AND seq < $2", args![thread, last - KEPT])
        .await?;
    Ok(())
}

impl JobSpace {
    /// Where the conversation of a thread stood before a turn: the number of the last step of earlier turns, or -1.
    pub(crate) async fn steps_before(&self, thread: i64, turn: i64) -> Result<i64, StateError> {
        let row = self
            .state
            .database
            .row(
                "SELECT COALESCE(MAX(seq), -1) AS seq FROM background_job_steps WHERE thread = $1 AND turn < $2",
                args![thread, turn],
            )
            .await?;
        row.map_or(Ok(-1), |row| row.int("seq"))
    }

    /// The last steps of a thread up to a turn, in order.
    pub(crate) async fn last_steps(
        &self,
        thread: i64,
        turn: i64,
        count: i64,
    ) -> Result<Vec<StoredStep>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                "SELECT body FROM background_job_steps WHERE thread = $1 AND turn <= $2 ORDER BY seq DESC LIMIT $3",
                args![thread, turn, count],
            )
            .await?;
        rows.iter().rev().map(StoredStep::read).collect()
    }

    /// The steps of one turn, in order.
    pub(crate) async fn turn_steps(&self, thread: i64, turn: i64) -> Result<Vec<StoredStep>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                "SELECT body FROM background_job_steps WHERE thread = $1 AND turn = $2 ORDER BY seq",
                args![thread, turn],
            )
            .await?;
        rows.iter().map(StoredStep::read).collect()
    }
}
