//! What owners are to be told: written with the transition, delivered at least once.

use crate::jobs::job::Job;
use crate::jobs::space::JobSpace;
use crate::jobs::{JobEvent, JobEventKind};
use crate::state::{Outbox, Row, StateError, Tx, args, outbox};

/// What owners are to be told.
pub(crate) const OUTBOX: Outbox<JobEvent> = outbox!(
    "background_job_events",
    "SELECT e.id, e.job, e.agent, e.owner, e.kind, e.at, j.title FROM background_job_events e
     JOIN background_jobs j ON j.id = e.job
     WHERE e.done_at IS NULL AND e.held_until <= $1 ORDER BY e.id LIMIT $2",
    read
);

fn read(row: &Row) -> Result<JobEvent, StateError> {
    let id = row.int("id")?;
    let kind = row.text("kind")?;
    let kind = JobEventKind::read(&kind)
        .ok_or_else(|| StateError::unreadable(format!("an event has the unknown kind `{kind}`")))?;
    Ok(JobEvent {
        key: format!("background_job_event:{id}"),
        id,
        job: row.int("job")?,
        title: row.text("title")?,
        agent: row.text("agent")?,
        owner: row.text("owner")?,
        kind,
        at: row.int("at")?,
    })
}

impl JobSpace {
    pub(super) async fn event(&self, tx: &mut Tx, job: &Job, kind: JobEventKind) -> Result<(), StateError> {
        tx.run(
            "INSERT INTO background_job_events (job, agent, owner, kind, turn, at, held_until)
             VALUES ($1, $2, $3, $4, $5, $6, 0) ON CONFLICT (job, kind, turn) DO NOTHING",
            args![job.id, &job.agent, &job.owner, kind.as_str(), job.turn, self.state.now()],
        )
        .await?;
        Ok(())
    }

    /// The event of this owner about a turn of a job, if it is not delivered yet.
    pub(crate) async fn open_event(
        &self,
        owner: &str,
        job: i64,
        turn: i64,
    ) -> Result<Option<i64>, StateError> {
        let row = self
            .state
            .database
            .row(
                "SELECT id FROM background_job_events WHERE job = $1 AND owner = $2 AND turn = $3 AND done_at IS NULL
                 ORDER BY id DESC LIMIT 1",
                args![job, owner, turn],
            )
            .await?;
        row.map(|row| row.int("id")).transpose()
    }
}
