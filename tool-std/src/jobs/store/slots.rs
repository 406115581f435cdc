//! Who may run: each agent has some slots; a job that gets one is handed to the queue in the same transaction.

use crate::jobs::space::{JobSpace, QUEUE};
use crate::state::{StateError, Tx, args};

/// After how long a slot that nobody works on is handed out again, in milliseconds. The queue does it by itself; this is for
/// a name that it lost.
const OVERDUE: i64 = 60_000;

impl JobSpace {
    /// Gives free slots of the agent to those that wait longest.
    pub(super) async fn dispatch(&self, tx: &mut Tx, agent: &str) -> Result<(), StateError> {
        let taken = tx
            .row("SELECT COUNT(*) AS taken FROM background_jobs WHERE agent = $1 AND slot = 1", args![agent])
            .await?;
        let taken = taken.map(|row| row.int("taken")).transpose()?.unwrap_or_default();
        let free = i64::from(self.running_per_agent).saturating_sub(taken);
        if free <= 0 {
            return Ok(());
        }
        let next = tx
            .rows(
                "SELECT id FROM background_jobs WHERE agent = $1 AND slot = 0 AND ready_at IS NOT NULL
                 ORDER BY ready_at, id LIMIT $2",
                args![agent, free],
            )
            .await?;
        for row in next {
            let id = row.int("id")?;
            tx.run(
                "UPDATE background_jobs SET slot = 1, ready_at = NULL, lease_until = $2 WHERE id = $1",
                args![id, self.state.now()],
            )
            .await?;
            QUEUE.push(tx, &id.to_string(), None).await?;
        }
        Ok(())
    }

    /// Looks after what no event has moved on: agents whose limit was raised, and slots that nobody works on.
    pub(crate) async fn sweep(&self) -> Result<(), StateError> {
        let agents = self
            .state
            .database
            .rows(
                "SELECT DISTINCT agent FROM background_jobs WHERE slot = 0 AND ready_at IS NOT NULL",
                args![],
            )
            .await?;
        for row in agents {
            let agent = row.text("agent")?;
            let mut tx = self.change(&agent).await?;
            self.dispatch(&mut tx, &agent).await?;
            tx.commit().await?;
        }
        let now = self.state.now();
        let overdue = self
            .state
            .database
            .rows(
                "SELECT id, lease_until FROM background_jobs WHERE slot = 1 AND lease_until < $1",
                args![now - OVERDUE],
            )
            .await?;
        for row in overdue {
            let (id, was) = (row.int("id")?, row.optional_int("lease_until")?);
            let mut tx = self.state.write().await?;
            let is_ours = tx
                .run(
                    "UPDATE background_jobs SET lease_until = $3 WHERE id = $1 AND slot = 1 AND lease_until = $2",
                    args![id, was, now],
                )
                .await?;
            if is_ours == 1 {
                QUEUE.push(&mut tx, &id.to_string(), None).await?;
            }
            tx.commit().await?;
        }
        Ok(())
    }
}
