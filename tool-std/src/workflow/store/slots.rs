//! Who may run: each run and each agent has some slots; a task that gets one is handed to the queue in the same transaction.

use crate::state::{StateError, Tx, args};
use crate::workflow::space::{RUNS, TASKS, WorkflowSpace};

/// After how long a slot that nobody works on, and a run that nobody looks at, is handed out again, in milliseconds. The queue
/// does it by itself; this is for a name that it lost.
const OVERDUE: i64 = 60_000;
/// How many of a kind are looked after at a time.
const BATCH: i64 = 100;

impl WorkflowSpace {
    /// Gives free slots to the tasks of the agent that wait longest.
    pub(super) async fn dispatch(&self, tx: &mut Tx, agent: &str) -> Result<(), StateError> {
        let taken = tx
            .row("SELECT COUNT(*) AS taken FROM workflow_tasks WHERE agent = $1 AND slot = 1", args![agent])
            .await?;
        let taken = taken.map(|row| row.int("taken")).transpose()?.unwrap_or_default();
        for _ in taken..i64::from(self.limits.running_per_agent) {
            let next = tx
                .row(
                    "SELECT t.id FROM workflow_tasks t JOIN workflow_runs r ON r.id = t.run
                     WHERE t.agent = $1 AND t.slot = 0 AND t.ready_at IS NOT NULL AND r.concurrency >
                         (SELECT COUNT(*) FROM workflow_tasks o WHERE o.agent = $1 AND o.slot = 1 AND o.run = t.run)
                     ORDER BY t.ready_at, t.id LIMIT 1",
                    args![agent],
                )
                .await?;
            let Some(next) = next else { return Ok(()) };
            let id = next.int("id")?;
            tx.run(
                "UPDATE workflow_tasks SET slot = 1, ready_at = NULL, lease_until = $2 WHERE id = $1",
                args![id, self.state.now()],
            )
            .await?;
            TASKS.push(tx, &id.to_string(), None).await?;
        }
        Ok(())
    }

    /// Wakes tasks whose time has come, and looks after what no event has moved on.
    pub(crate) async fn sweep(&self) -> Result<(), StateError> {
        let now = self.state.now();
        let agents = self.look(
            "SELECT DISTINCT agent FROM workflow_tasks
             WHERE (status = 'sleeping' AND wake_at <= $1) OR (slot = 0 AND ready_at <= $1) LIMIT $2",
            now,
        );
        for row in agents.await? {
            let agent = row.text("agent")?;
            let mut tx = self.change(&agent).await?;
            tx.run(
                "UPDATE workflow_tasks SET ready_at = $2, wake_at = NULL
                 WHERE agent = $1 AND status = 'sleeping' AND wake_at <= $2",
                args![&agent, now],
            )
            .await?;
            self.dispatch(&mut tx, &agent).await?;
            tx.commit().await?;
        }
        let overdue = self.look(
            "SELECT id, lease_until FROM workflow_tasks WHERE slot = 1 AND lease_until <= $1 LIMIT $2",
            now - OVERDUE,
        );
        for row in overdue.await? {
            let (id, was) = (row.int("id")?, row.optional_int("lease_until")?);
            let mut tx = self.state.write().await?;
            let is_ours = tx
                .run(
                    "UPDATE workflow_tasks SET lease_until = $3 WHERE id = $1 AND slot = 1 AND lease_until = $2",
                    args![id, was, now],
                )
                .await?;
            if is_ours == 1 {
                TASKS.push(&mut tx, &id.to_string(), None).await?;
            }
            tx.commit().await?;
        }
        let left = self.look(
            "SELECT id, updated_at FROM workflow_runs r WHERE live = 1 AND updated_at <= $1 AND NOT EXISTS
                 (SELECT 1 FROM workflow_tasks t WHERE t.run = r.id AND t.status IN ('queued', 'running', 'sleeping'))
             LIMIT $2",
            now - OVERDUE,
        );
        for row in left.await? {
            let (id, was) = (row.int("id")?, row.int("updated_at")?);
            let mut tx = self.state.write().await?;
            let is_ours = tx
                .run(
                    "UPDATE workflow_runs SET updated_at = $3 WHERE id = $1 AND live = 1 AND updated_at = $2",
                    args![id, was, now],
                )
                .await?;
            if is_ours == 1 {
                RUNS.push(&mut tx, &id.to_string(), None).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }

    async fn look(&self, sql: &'static str, until: i64) -> Result<Vec<crate::state::Row>, StateError> {
        self.state.database.rows(sql, args![until, BATCH]).await
    }
}
