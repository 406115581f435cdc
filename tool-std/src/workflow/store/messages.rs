//! What the owner says to a task.

use crate::state::{StateError, Tx, args};
use crate::workflow::WorkflowError;
use crate::workflow::row::{Task, task_columns};
use crate::workflow::space::WorkflowSpace;

use super::Asker;

/// A message to a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) id: i64,
    pub(crate) text: String,
}

impl Message {
    /// What the model reads. The number tells messages of equal words apart.
    pub(crate) fn as_said(&self) -> String {
        format!("[message {} of the owner of this workflow]\n\n{}", self.id, self.text)
    }
}

impl WorkflowSpace {
    /// Adds a message to a live task, or finds the one that the same call has added; one that sleeps wakes.
    pub(crate) async fn send(
        &self,
        asker: Asker<'_>,
        run: i64,
        seq: i64,
        text: &str,
    ) -> Result<Task, WorkflowError> {
        let mut tx = self.change(asker.agent).await?;
        let is_ours = tx
            .row("SELECT id FROM workflow_runs WHERE id = $1 AND agent = $2", args![run, asker.agent])
            .await?;
        if is_ours.is_none() {
            return Err(WorkflowError::Unknown { id: run });
        }
        let row = tx
            .row(
                concat!("SELECT ", task_columns!(), " FROM workflow_tasks WHERE run = $1 AND seq = $2"),
                args![run, seq],
            )
            .await?;
        let Some(row) = row else {
            return Err(WorkflowError::refused(format!(
                "the workflow {run} has no task {seq}; `show_workflow` lists its live tasks by `call_seq`"
            )));
        };
        let task = Task::read(&row)?;
        let known = tx
            .row(
                "SELECT id FROM workflow_messages WHERE agent = $1 AND owner = $2 AND call_id = $3 AND task = $4",
                args![asker.agent, asker.owner, asker.call_id, task.id],
            )
            .await?;
        if known.is_some() {
            return Ok(task);
        }
        if !task.status.is_live() {
            let status = task.status.as_str();
            return Err(WorkflowError::refused(format!(
                "the task {seq} of the workflow {run} is over ({status}) and reads no more messages"
            )));
        }
        let now = self.state.now();
        tx.run(
            "INSERT INTO workflow_messages (task, agent, owner, call_id, text, sent_at) VALUES ($1, $2, $3, $4, $5, $6)",
            args![task.id, asker.agent, asker.owner, asker.call_id, text, now],
        )
        .await?;
        tx.run(
            "UPDATE workflow_tasks SET ready_at = $2, wake_at = NULL
             WHERE id = $1 AND status = 'sleeping' AND slot = 0 AND ready_at IS NULL",
            args![task.id, now],
        )
        .await?;
        self.dispatch(&mut tx, asker.agent).await?;
        tx.commit().await?;
        Ok(task)
    }
}

/// The messages that no claim has read, in order; they are this claim's now. Those of a claim that was lost are read again.
pub(super) async fn take(tx: &mut Tx, task: &Task) -> Result<Vec<Message>, StateError> {
    tx.run(
        "UPDATE workflow_messages SET claim = $2 WHERE task = $1 AND claim IS NULL",
        args![task.id, task.claims],
    )
    .await?;
    let rows =
        tx.rows("SELECT id, text FROM workflow_messages WHERE task = $1 ORDER BY id", args![task.id]).await?;
    rows.iter().map(|row| Ok(Message { id: row.int("id")?, text: row.text("text")? })).collect()
}

/// Whether there are messages that no claim has read.
pub(super) async fn has_unread(tx: &mut Tx, task: &Task) -> Result<bool, StateError> {
    let row = tx
        .row("SELECT id FROM workflow_messages WHERE task = $1 AND claim IS NULL LIMIT 1", args![task.id])
        .await?;
    Ok(row.is_some())
}
