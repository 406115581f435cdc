//! A worker takes a job, and keeps it as long as it renews its lease.

use crate::jobs::job::{Job, JobFailure, job_columns};
use crate::jobs::space::JobSpace;
use crate::jobs::steps::Recorded;
use crate::state::{StateError, Tx, args, to_json};

use super::{End, Message};

/// How many workers may be gone while they had a job before it is given up: it may be what kills them.
const MAX_LOST: i64 = 25;

/// What a worker gets that asks for a job.
#[derive(Debug)]
pub(crate) enum Claim {
    /// The job, which is its own now.
    Taken(Box<Job>),
    /// Nothing: it is over, waits for its owner, or is not to run now.
    Nothing,
    /// Another worker holds it until then.
    Held(i64),
}

/// What a worker hears when it renews its lease.
#[derive(Debug)]
pub(crate) enum Beat {
    /// It still holds the job; these messages were not read yet.
    Held(Vec<Message>),
    /// The job is not its own any more: it was stopped, or another worker took it.
    Lost,
}

impl JobSpace {
    /// Takes a job for a worker until `lease_until`. Attempts of workers that are gone are closed as `lost`.
    pub(crate) async fn claim(&self, id: i64, worker: &str, lease_until: i64) -> Result<Claim, StateError> {
        let Some(agent) = self.agent_of(id).await? else { return Ok(Claim::Nothing) };
        let mut tx = self.change(&agent).await?;
        let now = self.state.now();
        let row = tx
            .row(
                concat!(
                    "UPDATE background_jobs SET status = 'running', claims = claims + 1, worker = $2, lease_until = $3,
                         updated_at = $4
                     WHERE id = $1 AND slot = 1
                         AND (status IN ('queued', 'waiting_on_user') OR (status = 'running' AND lease_until <= $4))
                     RETURNING ",
                    job_columns!()
                ),
                args![id, worker, lease_until, now],
            )
            .await?;
        let Some(row) = row else {
            let held = tx
                .row(
                    "SELECT lease_until FROM background_jobs WHERE id = $1 AND status = 'running' AND slot = 1",
                    args![id],
                )
                .await?;
            let until = held.map(|row| row.optional_int("lease_until")).transpose()?.flatten();
            return Ok(until.map_or(Claim::Nothing, Claim::Held));
        };
        let job = Job::read(&row)?;
        tx.run(
            "UPDATE background_job_attempts SET ended_at = $2, outcome = 'lost' WHERE job = $1 AND ended_at IS NULL",
            args![id, now],
        )
        .await?;
        tx.run(
            "INSERT INTO background_job_attempts (job, claim, worker, turn, started_at) VALUES ($1, $2, $3, $4, $5)",
            args![id, job.claims, worker, job.turn, now],
        )
        .await?;
        if super::attempts::lost(&mut tx, id).await? >= MAX_LOST {
            let words = format!("{MAX_LOST} workers were gone while they had it");
            let failure = JobFailure::new("too_many_claims", words, false);
            self.end(&mut tx, &job, &End::Failed(failure)).await?;
            tx.commit().await?;
            return Ok(Claim::Nothing);
        }
        tx.commit().await?;
        Ok(Claim::Taken(Box::new(job)))
    }

    /// Renews a lease, and writes down what has been done since.
    pub(crate) async fn beat(
        &self,
        job: &Job,
        lease_until: i64,
        recorded: Option<&Recorded>,
    ) -> Result<Beat, StateError> {
        let mut tx = self.state.write().await?;
        let held = tx
            .run(
                "UPDATE background_jobs SET lease_until = $3 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![job.id, job.claims, lease_until],
            )
            .await?;
        if held == 0 {
            return Ok(Beat::Lost);
        }
        if let Some(recorded) = recorded {
            self.record(&mut tx, job, recorded).await?;
        }
        let messages = super::messages::unread(&mut tx, job.id).await?;
        tx.commit().await?;
        Ok(Beat::Held(messages))
    }

    /// Writes down that a turn begins; false if the job is not the worker's any more.
    pub(crate) async fn begin_turn(&self, job: &Job, turn: i64) -> Result<bool, StateError> {
        let mut tx = self.state.write().await?;
        let held = tx
            .run(
                "UPDATE background_jobs SET turn = $3, turn_status = 'running', question = NULL, updated_at = $4
                 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![job.id, job.claims, turn, self.state.now()],
            )
            .await?;
        if held == 0 {
            return Ok(false);
        }
        tx.run(
            "UPDATE background_job_attempts SET turn = $3 WHERE job = $1 AND claim = $2",
            args![job.id, job.claims, turn],
        )
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// What was done, under a claim that was just found good.
    pub(super) async fn record(&self, tx: &mut Tx, job: &Job, recorded: &Recorded) -> Result<(), StateError> {
        tx.run(
            "UPDATE background_jobs SET progress = $2, usage = $3, updated_at = $4 WHERE id = $1",
            args![job.id, &to_json(&recorded.progress)?, &to_json(&recorded.usage)?, self.state.now()],
        )
        .await?;
        for message in &recorded.read {
            tx.run(
                "UPDATE background_job_messages SET turn = $2 WHERE id = $1 AND turn IS NULL",
                args![*message, recorded.turn],
            )
            .await?;
        }
        super::steps::store(tx, job.thread, recorded).await
    }

    async fn agent_of(&self, id: i64) -> Result<Option<String>, StateError> {
        let row =
            self.state.database.row("SELECT agent FROM background_jobs WHERE id = $1", args![id]).await?;
        row.map(|row| row.text("agent")).transpose()
    }
}
