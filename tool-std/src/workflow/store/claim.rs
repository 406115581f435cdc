//! A worker takes a task, and keeps it as long as it renews its lease.

use crate::state::{StateError, args};
use crate::workflow::row::{Failure, Task, task_columns};
use crate::workflow::space::{TASKS, WorkflowSpace};
use crate::workflow::status::TaskStatus;

use super::Message;

/// How often the worker of a task may be gone before the task is given up.
const MAX_LOSSES: i64 = 10;

/// What a worker gets that asks for a task.
#[derive(Debug)]
pub(crate) enum Claim {
    /// The task, which is its own now, and what was said to it since.
    Taken(Box<Task>, Vec<Message>),
    /// Nothing: it is over, sleeps, or is not to run now.
    Nothing,
    /// Another worker holds it until then.
    Held(i64),
}

/// What a worker hears when it renews its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beat {
    /// It still holds the task.
    Held,
    /// The task is not its own any more: its run is over, or another worker took it.
    Lost,
}

impl WorkflowSpace {
    /// Takes a task for a worker until `lease_until`.
    pub(crate) async fn claim(&self, id: i64, worker: &str, lease_until: i64) -> Result<Claim, StateError> {
        let agent =
            self.state.database.row("SELECT agent FROM workflow_tasks WHERE id = $1", args![id]).await?;
        let Some(agent) = agent else { return Ok(Claim::Nothing) };
        let mut tx = self.change(&agent.text("agent")?).await?;
        let now = self.state.now();
        let row = tx
            .row(
                concat!("SELECT ", task_columns!(), " FROM workflow_tasks WHERE id = $1 AND slot = 1"),
                args![id],
            )
            .await?;
        let Some(row) = row else { return Ok(Claim::Nothing) };
        let task = Task::read(&row)?;
        let is_lost = task.status == TaskStatus::Running;
        if let Some(until) = task.lease_until.filter(|until| is_lost && *until > now) {
            return Ok(Claim::Held(until));
        }
        if is_lost && task.losses >= MAX_LOSSES {
            let words = format!("its worker was gone {} times", task.losses + 1);
            self.fail(&mut tx, &task, &Failure::new("worker_lost", &words)).await?;
            tx.commit().await?;
            return Ok(Claim::Nothing);
        }
        let taken = tx
            .row(
                concat!(
                    "UPDATE workflow_tasks SET status = 'running', claims = claims + 1, losses = losses + $4, worker = $2,
                         lease_until = $3, wake_at = NULL, note = NULL, attention = 0, updated_at = $5
                     WHERE id = $1 AND slot = 1 AND status IN ('queued', 'running', 'sleeping')
                     RETURNING ",
                    task_columns!()
                ),
                args![id, worker, lease_until, i64::from(is_lost), now],
            )
            .await?;
        let Some(taken) = taken else { return Ok(Claim::Nothing) };
        let task = Task::read(&taken)?;
        let messages = super::messages::take(&mut tx, &task).await?;
        tx.commit().await?;
        Ok(Claim::Taken(Box::new(task), messages))
    }

    /// Renews a lease.
    pub(crate) async fn beat(&self, task: &Task, lease_until: i64) -> Result<Beat, StateError> {
        let held = self
            .state
            .database
            .run(
                "UPDATE workflow_tasks SET lease_until = $3 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![task.id, task.claims, lease_until],
            )
            .await?;
        Ok(if held == 1 { Beat::Held } else { Beat::Lost })
    }

    /// Lets go of a task that stays running and keeps its slot: another claim goes on, and nothing is counted.
    pub(crate) async fn release(&self, task: &Task) -> Result<(), StateError> {
        let mut tx = self.change(&task.agent).await?;
        let now = self.state.now();
        let held = tx
            .run(
                "UPDATE workflow_tasks SET worker = NULL, lease_until = $3, losses = losses - 1
                 WHERE id = $1 AND claims = $2 AND status = 'running'",
                args![task.id, task.claims, now],
            )
            .await?;
        if held == 1 {
            TASKS.push(&mut tx, &task.id.to_string(), None).await?;
        }
        tx.commit().await
    }
}
