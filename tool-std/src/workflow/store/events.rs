//! What owners are to be told: written with the transition, delivered at least once.

use crate::state::{Outbox, Row, StateError, Tx, args, outbox};
use crate::workflow::row::Run;
use crate::workflow::space::WorkflowSpace;
use crate::workflow::{WorkflowEvent, WorkflowEventKind};

/// In which time attention is asked for once, in milliseconds.
const HOUR: i64 = 3_600_000;

/// What owners are to be told.
pub(crate) const OUTBOX: Outbox<WorkflowEvent> = outbox!(
    "workflow_events",
    "SELECT e.id, e.run, e.agent, e.owner, e.kind, e.at, r.title FROM workflow_events e
     JOIN workflow_runs r ON r.id = e.run
     WHERE e.done_at IS NULL AND e.held_until <= $1 ORDER BY e.id LIMIT $2",
    read
);

fn read(row: &Row) -> Result<WorkflowEvent, StateError> {
    let id = row.int("id")?;
    let kind = row.text("kind")?;
    let kind = WorkflowEventKind::read(&kind)
        .ok_or_else(|| StateError::unreadable(format!("an event has the unknown kind `{kind}`")))?;
    Ok(WorkflowEvent {
        key: format!("workflow_event:{id}"),
        id,
        run: row.int("run")?,
        title: row.text("title")?,
        agent: row.text("agent")?,
        owner: row.text("owner")?,
        kind,
        at: row.int("at")?,
    })
}

impl WorkflowSpace {
    pub(super) async fn event(
        &self,
        tx: &mut Tx,
        run: &Run,
        kind: WorkflowEventKind,
    ) -> Result<(), StateError> {
        let now = self.state.now();
        let bucket = if kind == WorkflowEventKind::Attention { now / HOUR } else { 0 };
        tx.run(
            "INSERT INTO workflow_events (run, agent, owner, kind, bucket, at, held_until)
             VALUES ($1, $2, $3, $4, $5, $6, 0) ON CONFLICT (run, kind, bucket) DO NOTHING",
            args![run.id, &run.agent, &run.owner, kind.as_str(), bucket, now],
        )
        .await?;
        Ok(())
    }
}
