//! A job leaves a worker: it is over, waits, is tried again, or goes back.

use serde_json::Value;

use crate::jobs::JobEventKind;
use crate::jobs::job::{Job, JobFailure};
use crate::jobs::space::{JobSpace, QUEUE};
use crate::jobs::steps::Recorded;
use crate::state::{StateError, Tx, args, to_json};

/// How often the execution of a job may fail.
const MAX_FAILURES: i64 = 5;
/// How often a job may stall.
const MAX_STALLS: i64 = 3;

/// How a worker ends its claim.
#[derive(Debug)]
pub(crate) enum End {
    /// Done, with this result.
    Succeeded(String),
    /// It asked its owner this.
    Waiting(Value),
    /// Over without a result.
    Failed(JobFailure),
    /// Its execution failed and is tried again at this time, unless it has failed too often.
    Again(JobFailure, i64),
    /// It did nothing for too long and is tried again, unless it has stalled too often.
    Stalled,
    /// The worker lets go of it: another claim goes on from this time, and nothing is counted.
    Released(i64),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finished {
    /// It is as the worker said.
    Done,
    /// A message has come meanwhile, so the job is not over: the worker reads it first.
    Unread,
    /// The job was not the worker's any more; nothing was changed.
    Lost,
}

impl JobSpace {
    /// Ends the claim of a worker.
    pub(crate) async fn finish(
        &self,
        job: &Job,
        end: &End,
        recorded: Option<&Recorded>,
    ) -> Result<Finished, StateError> {
        let mut tx = self.change(&job.agent).await?;
        // Nothing is written under a claim that is lost.
        let held = tx
            .run(
                "UPDATE background_jobs SET updated_at = $3 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![job.id, job.claims, self.state.now()],
            )
            .await?;
        if held == 0 {
            return Ok(Finished::Lost);
        }
        if let Some(recorded) = recorded {
            self.record(&mut tx, job, recorded).await?;
        }
        let job = super::by_id(&mut tx, job.id).await?;
        let listens = matches!(end, End::Succeeded(_) | End::Waiting(_));
        if listens && !super::messages::unread(&mut tx, job.id).await?.is_empty() {
            tx.commit().await?;
            return Ok(Finished::Unread);
        }
        self.end(&mut tx, &job, end).await?;
        tx.commit().await?;
        Ok(Finished::Done)
    }

    /// Makes the transition. The caller has found the claim good in this transaction.
    pub(super) async fn end(&self, tx: &mut Tx, job: &Job, end: &End) -> Result<(), StateError> {
        match end {
            End::Succeeded(result) => {
                self.over(tx, job, "succeeded", Some(&to_json(result)?), None).await?;
                self.event(tx, job, JobEventKind::Succeeded).await?;
            }
            End::Waiting(question) => {
                tx.run(
                    "UPDATE background_jobs SET status = 'waiting_on_user', slot = 0, ready_at = NULL, worker = NULL,
                         lease_until = NULL, turn_status = 'asked', question = $2 WHERE id = $1",
                    args![job.id, &to_json(question)?],
                )
                .await?;
                self.attempt_ended(tx, job, "waiting").await?;
                self.event(tx, job, JobEventKind::Waiting).await?;
                self.dispatch(tx, &job.agent).await?;
            }
            End::Failed(failure) => self.failed(tx, job, failure).await?,
            End::Again(failure, _) if job.failures + 1 >= MAX_FAILURES => {
                tx.run("UPDATE background_jobs SET failures = failures + 1 WHERE id = $1", args![job.id])
                    .await?;
                self.failed(tx, job, failure).await?;
            }
            End::Again(failure, due) => {
                tx.run(
                    "UPDATE background_jobs SET failures = failures + 1, error = $2 WHERE id = $1",
                    args![job.id, &to_json(failure)?],
                )
                .await?;
                self.again(tx, job, &failure.code, *due).await?;
            }
            End::Stalled if job.stalls + 1 >= MAX_STALLS => {
                tx.run("UPDATE background_jobs SET stalls = stalls + 1 WHERE id = $1", args![job.id]).await?;
                let words = format!("it did nothing for too long, {MAX_STALLS} times");
                self.failed(tx, job, &JobFailure::new("stalled", words, true)).await?;
            }
            End::Stalled => {
                tx.run("UPDATE background_jobs SET stalls = stalls + 1 WHERE id = $1", args![job.id]).await?;
                self.again(tx, job, "stalled", self.state.now()).await?;
            }
            End::Released(due) => self.again(tx, job, "released", *due).await?,
        }
        Ok(())
    }

    /// Stops a live job of an agent; false if it was over.
    pub(crate) async fn stop(&self, agent: &str, id: i64) -> Result<bool, StateError> {
        let mut tx = self.change(agent).await?;
        let row = tx
            .row("SELECT id FROM background_jobs WHERE id = $1 AND agent = $2 AND live = 1", args![id, agent])
            .await?;
        if row.is_none() {
            return Ok(false);
        }
        let job = super::by_id(&mut tx, id).await?;
        self.over(&mut tx, &job, "stopped", None, None).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn failed(&self, tx: &mut Tx, job: &Job, failure: &JobFailure) -> Result<(), StateError> {
        self.over(tx, job, "failed", None, Some(failure)).await?;
        self.event(tx, job, JobEventKind::Failed).await
    }

    /// The last transition of a job; its slot goes to the next.
    async fn over(
        &self,
        tx: &mut Tx,
        job: &Job,
        status: &str,
        result: Option<&str>,
        failure: Option<&JobFailure>,
    ) -> Result<(), StateError> {
        let (now, error) = (self.state.now(), failure.map(to_json).transpose()?);
        tx.run(
            "UPDATE background_jobs SET status = $2, live = 0, slot = 0, ready_at = NULL, worker = NULL, lease_until = NULL,
                 turn_status = $2, result = $3, error = $4, updated_at = $5, finished_at = $5
             WHERE id = $1 AND live = 1",
            args![job.id, status, result, error.as_deref(), now],
        )
        .await?;
        let outcome = failure.map_or(status, |failure| &failure.code);
        self.attempt_ended(tx, job, outcome).await?;
        self.dispatch(tx, &job.agent).await
    }

    /// Lets go of a job that stays running and keeps its slot: another claim goes on from `due`.
    async fn again(&self, tx: &mut Tx, job: &Job, outcome: &str, due: i64) -> Result<(), StateError> {
        tx.run(
            "UPDATE background_jobs SET worker = NULL, lease_until = $2 WHERE id = $1",
            args![job.id, due],
        )
        .await?;
        self.attempt_ended(tx, job, outcome).await?;
        QUEUE.push(tx, &job.id.to_string(), (due > self.state.now()).then_some(due)).await
    }
}
