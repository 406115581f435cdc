//! The history of claims.

use serde::{Deserialize, Serialize};

use crate::jobs::job::Job;
use crate::jobs::space::JobSpace;
use crate::state::{StateError, Tx, args};

/// A worker's claim of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobAttempt {
    /// Counted from 1.
    pub(crate) attempt: i64,
    /// The turn that it worked on.
    pub(crate) turn: i64,
    /// When it began, in milliseconds since 1970.
    pub(crate) started_at: i64,
    /// When it ended; `None` while it goes on.
    pub(crate) ended_at: Option<i64>,
    /// How it ended: `succeeded`, `waiting`, `stopped`, `released` (its worker shut down, or could not
    /// reach its files or the database), `lost` (its worker was gone), or the
    /// code of a failure.
    pub(crate) outcome: Option<String>,
}

/// How many workers were gone while they had a job.
pub(super) async fn lost(tx: &mut Tx, job: i64) -> Result<i64, StateError> {
    let row = tx
        .row(
            "SELECT COUNT(*) AS lost FROM background_job_attempts WHERE job = $1 AND outcome = 'lost'",
            args![job],
        )
        .await?;
    row.map_or(Ok(0), |row| row.int("lost"))
}

impl JobSpace {
    /// Closes the attempts of a job that are open.
    pub(super) async fn attempt_ended(
        &self,
        tx: &mut Tx,
        job: &Job,
        outcome: &str,
    ) -> Result<(), StateError> {
        tx.run(
            "UPDATE background_job_attempts SET ended_at = $2, outcome = $3 WHERE job = $1 AND ended_at IS NULL",
            args![job.id, self.state.now(), outcome],
        )
        .await?;
        Ok(())
    }

    /// All attempts of a job, in order.
    pub(crate) async fn attempts(&self, job: i64) -> Result<Vec<JobAttempt>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                "SELECT claim, turn, started_at, ended_at, outcome FROM background_job_attempts WHERE job = $1 ORDER BY claim",
                args![job],
            )
            .await?;
        rows.iter()
            .map(|row| {
                Ok(JobAttempt {
                    attempt: row.int("claim")?,
                    turn: row.int("turn")?,
                    started_at: row.int("started_at")?,
                    ended_at: row.optional_int("ended_at")?,
                    outcome: row.optional_text("outcome")?,
                })
            })
            .collect()
    }
}
