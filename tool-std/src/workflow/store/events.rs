//! What owners are to be told: written with the transition, delivered at least once.

use crate::state::{StateError, Tx, args};
use crate::workflow::row::Run;
use crate::workflow::space::WorkflowSpace;
use crate::workflow::{WorkflowEvent, WorkflowEventKind};

/// For how long one who delivers an event has it to himself, in milliseconds.
const HELD: i64 = 30_000;
/// How many events are delivered at a time.
const BATCH: i64 = 32;
/// In which time attention is asked for once, in milliseconds.
const HOUR: i64 = 3_600_000;

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

    /// Events that nobody delivers now; they are the caller's for half a minute.
    pub(crate) async fn take_events(&self) -> Result<Vec<WorkflowEvent>, StateError> {
        let (now, database) = (self.state.now(), &self.state.database);
        let rows = database
            .rows(
                "SELECT e.id, e.run, e.agent, e.owner, e.kind, e.at, r.title FROM workflow_events e
                 JOIN workflow_runs r ON r.id = e.run
                 WHERE e.done_at IS NULL AND e.held_until <= $1 ORDER BY e.id LIMIT $2",
                args![now, BATCH],
            )
            .await?;
        let mut taken = Vec::new();
        for row in rows {
            let id = row.int("id")?;
            let is_ours = database
                .run(
                    "UPDATE workflow_events SET held_until = $3 WHERE id = $1 AND done_at IS NULL AND held_until <= $2",
                    args![id, now, now + HELD],
                )
                .await?;
            if is_ours == 1 {
                let kind = row.text("kind")?;
                let kind = WorkflowEventKind::read(&kind).ok_or_else(|| {
                    StateError::unreadable(format!("an event has the unknown kind `{kind}`"))
                })?;
                taken.push(WorkflowEvent {
                    key: format!("workflow_event:{id}"),
                    id,
                    run: row.int("run")?,
                    title: row.text("title")?,
                    agent: row.text("agent")?,
                    owner: row.text("owner")?,
                    kind,
                    at: row.int("at")?,
                });
            }
        }
        Ok(taken)
    }

    /// The event is delivered.
    pub(crate) async fn event_done(&self, id: i64) -> Result<(), StateError> {
        self.state
            .database
            .run(
                "UPDATE workflow_events SET done_at = $2 WHERE id = $1 AND done_at IS NULL",
                args![id, self.state.now()],
            )
            .await?;
        Ok(())
    }
}
