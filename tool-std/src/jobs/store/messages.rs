//! What is said to a job.

use crate::jobs::JobError;
use crate::jobs::job::{Job, job_columns};
use crate::jobs::space::JobSpace;
use crate::state::{Row, StateError, Tx, args};

use super::Asker;

/// A message to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) id: i64,
    pub(crate) text: String,
    /// The turn that has read it.
    pub(crate) turn: Option<i64>,
}

impl Message {
    fn read(row: &Row) -> Result<Self, StateError> {
        Ok(Self { id: row.int("id")?, text: row.text("text")?, turn: row.optional_int("turn")? })
    }

    /// What the job's model reads. The number tells messages of equal words apart.
    pub(crate) fn as_said(&self) -> String {
        format!("[message {} of the owner of this job]\n\n{}", self.id, self.text)
    }
}

impl JobSpace {
    /// Adds a message to a live job, or finds the one that the same call has added; one that waits for its owner wants to run
    /// now.
    pub(crate) async fn send(&self, asker: Asker<'_>, job: i64, text: &str) -> Result<(Job, i64), JobError> {
        let mut tx = self.change(asker.agent).await?;
        let row = tx
            .row(
                concat!("SELECT ", job_columns!(), " FROM background_jobs WHERE id = $1 AND agent = $2"),
                args![job, asker.agent],
            )
            .await?;
        let Some(row) = row else { return Err(JobError::unknown(job)) };
        let known = tx
            .row(
                "SELECT id, job, text, turn FROM background_job_messages WHERE agent = $1 AND owner = $2 AND call_id = $3",
                args![asker.agent, asker.owner, asker.call_id],
            )
            .await?;
        let row = Job::read(&row)?;
        if let Some(known) = known {
            let is_same = known.int("job")? == job && known.text("text")? == text;
            return if is_same {
                Ok((row, known.int("id")?))
            } else {
                Err(JobError::refused(
                    "a call with this id has sent another message before; send this one in a new call",
                ))
            };
        }
        if !row.status.is_live() {
            return Err(JobError::refused(format!(
                "the job {job} is over ({}) and reads no more messages; continue it with `respawn_background_job`",
                row.status.as_str()
            )));
        }
        let sent = tx
            .row(
                "INSERT INTO background_job_messages (job, agent, owner, call_id, text, sent_at)
                 VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
                args![job, asker.agent, asker.owner, asker.call_id, text, self.state.now()],
            )
            .await?;
        let sent =
            sent.ok_or_else(|| StateError::unreadable("the database gave a message no id"))?.int("id")?;
        tx.run(
            "UPDATE background_jobs SET ready_at = $2, updated_at = $2
             WHERE id = $1 AND status = 'waiting_on_user' AND slot = 0 AND ready_at IS NULL",
            args![job, self.state.now()],
        )
        .await?;
        self.dispatch(&mut tx, asker.agent).await?;
        tx.commit().await?;
        Ok((row, sent))
    }

    /// One message.
    pub(crate) async fn message(&self, id: i64) -> Result<Message, StateError> {
        let row = self
            .state
            .database
            .row("SELECT id, text, turn FROM background_job_messages WHERE id = $1", args![id])
            .await?;
        Message::read(&row.ok_or_else(|| StateError::unreadable(format!("the message {id} is gone")))?)
    }

    /// The messages that no turn has read, in order.
    pub(crate) async fn unread(&self, job: i64) -> Result<Vec<Message>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                "SELECT id, text, turn FROM background_job_messages WHERE job = $1 AND turn IS NULL ORDER BY id",
                args![job],
            )
            .await?;
        rows.iter().map(Message::read).collect()
    }
}

pub(super) async fn unread(tx: &mut Tx, job: i64) -> Result<Vec<Message>, StateError> {
    let rows = tx
        .rows(
            "SELECT id, text, turn FROM background_job_messages WHERE job = $1 AND turn IS NULL ORDER BY id",
            args![job],
        )
        .await?;
    rows.iter().map(Message::read).collect()
}
