//! A task leaves a worker: it is over, sleeps, or is tried again.

use crate::state::{StateError, Tx, args};
use crate::workflow::WorkflowEventKind;
use crate::workflow::limits::{MAX_ATTEMPTS, MAX_SLEEPS};
use crate::workflow::row::{Failure, Run, Task, run_columns};
use crate::workflow::space::{RUNS, WorkflowSpace};

/// How a worker ends its claim.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// With this value, which fits its schema, as JSON.
    Succeeded(String),
    /// The attempt has failed.
    Failed(Failure),
    /// It sleeps.
    Sleeps(Sleep),
}

/// A sleep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sleep {
    /// When it ends.
    pub(crate) wake_at: i64,
    /// What is waited for.
    pub(crate) note: String,
    /// Whether the owner is told.
    pub(crate) attention: bool,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It is as the worker said; how often the task has slept.
    Done { sleeps: i64 },
    /// It cannot be so: the sentence says why. The task still runs.
    Refused(String),
    /// The task was not the worker's any more; nothing was changed.
    Lost,
}

impl WorkflowSpace {
    /// Ends the claim of a worker.
    pub(crate) async fn end(&self, task: &Task, end: &End) -> Result<Ended, StateError> {
        let mut tx = self.change(&task.agent).await?;
        // Nothing is written under a claim that is lost.
        let held = tx
            .run(
                "UPDATE workflow_tasks SET updated_at = $3 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![task.id, task.claims, self.state.now()],
            )
            .await?;
        let now = super::task_by_id(&mut tx, task.id).await?.filter(|_| held == 1);
        let Some(task) = now else { return Ok(Ended::Lost) };
        let sleeps = match end {
            End::Succeeded(value) => {
                if value.len() > self.limits.value_bytes {
                    let (is, most) = (value.len(), self.limits.value_bytes);
                    return Ok(Ended::Refused(format!(
                        "the result has {is} bytes of JSON and may have {most}; submit a shorter one"
                    )));
                }
                self.over(&mut tx, &task, "succeeded", Some(value.as_str()), None).await?;
                task.sleeps
            }
            End::Failed(failure) => {
                self.attempt_failed(&mut tx, &task, failure).await?;
                task.sleeps
            }
            End::Sleeps(_) if task.sleeps >= MAX_SLEEPS => {
                return Ok(Ended::Refused(format!(
                    "the task has slept {MAX_SLEEPS} times and cannot sleep again; submit what there is"
                )));
            }
            End::Sleeps(sleep) => {
                self.sleeps(&mut tx, &task, sleep).await?;
                task.sleeps + 1
            }
        };
        tx.commit().await?;
        Ok(Ended::Done { sleeps })
    }

    async fn sleeps(&self, tx: &mut Tx, task: &Task, sleep: &Sleep) -> Result<(), StateError> {
        // What was said meanwhile wakes it at once.
        let ready = super::messages::has_unread(tx, task).await?.then_some(self.state.now());
        tx.run(
            "UPDATE workflow_tasks SET status = 'sleeping', slot = 0, worker = NULL, lease_until = NULL, attempts = 0,
                 sleeps = sleeps + 1, wake_at = $2, ready_at = $3, note = $4, attention = $5 WHERE id = $1",
            args![
                task.id,
                if ready.is_some() { None } else { Some(sleep.wake_at) },
                ready,
                &sleep.note,
                i64::from(sleep.attention),
            ],
        )
        .await?;
        if sleep.attention {
            let run = super::runs::by_id(tx, task.run).await?;
            self.event(tx, &run, WorkflowEventKind::Attention).await?;
        }
        self.dispatch(tx, &task.agent).await
    }

    /// Another attempt, or the end after the last.
    async fn attempt_failed(&self, tx: &mut Tx, task: &Task, failure: &Failure) -> Result<(), StateError> {
        if task.attempts + 1 >= MAX_ATTEMPTS {
            return self.fail(tx, task, failure).await;
        }
        // One that has slept goes on from its sleep.
        let status = if task.sleeps > 0 { "sleeping" } else { "queued" };
        tx.run(
            "UPDATE workflow_tasks SET status = $2, slot = 0, worker = NULL, lease_until = NULL, attempts = attempts + 1,
                 ready_at = $3, error = $4 WHERE id = $1",
            args![task.id, status, self.state.now(), &failure.to_json()?],
        )
        .await?;
        self.dispatch(tx, &task.agent).await
    }

    pub(super) async fn fail(&self, tx: &mut Tx, task: &Task, failure: &Failure) -> Result<(), StateError> {
        self.over(tx, task, "failed", None, Some(failure)).await
    }

    /// The last transition of a task; its slot goes to the next, and after the last one of its stage the program goes on.
    async fn over(
        &self,
        tx: &mut Tx,
        task: &Task,
        status: &str,
        value: Option<&str>,
        failure: Option<&Failure>,
    ) -> Result<(), StateError> {
        let error = failure.map(Failure::to_json).transpose()?;
        let now = self.state.now();
        tx.run(
            "UPDATE workflow_tasks SET status = $2, slot = 0, ready_at = NULL, worker = NULL, lease_until = NULL, wake_at = NULL,
                 attempts = attempts + $3, value = $4, error = $5, updated_at = $6
             WHERE id = $1 AND status IN ('queued', 'running', 'sleeping')",
            args![task.id, status, i64::from(failure.is_some()), value, error.as_deref(), now],
        )
        .await?;
        tx.run("UPDATE workflow_runs SET updated_at = $2 WHERE id = $1", args![task.run, now]).await?;
        let memo = tx
            .row(
                "SELECT COALESCE(SUM(OCTET_LENGTH(value)), 0) AS memo FROM workflow_tasks WHERE run = $1",
                args![task.run],
            )
            .await?;
        let memo = memo.map(|row| row.int("memo")).transpose()?.unwrap_or_default();
        if memo > i64::try_from(self.limits.memo_bytes).unwrap_or(i64::MAX) {
            let run = tx
                .row(concat!("SELECT ", run_columns!(), " FROM workflow_runs WHERE id = $1"), args![task.run])
                .await?;
            let most = self.limits.memo_bytes;
            let words = format!("the results of its calls have more than {most} bytes together");
            if let Some(run) = run {
                self.fail_run(tx, &Run::read(&run)?, &Failure::new("too_large", &words)).await?;
            }
            return Ok(());
        }
        let open = tx
            .row(
                "SELECT id FROM workflow_tasks WHERE run = $1 AND status IN ('queued', 'running', 'sleeping') LIMIT 1",
                args![task.run],
            )
            .await?;
        if open.is_none() {
            RUNS.push(tx, &task.run.to_string(), None).await?;
        }
        self.dispatch(tx, &task.agent).await
    }
}
