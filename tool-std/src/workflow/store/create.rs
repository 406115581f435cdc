//! A run begins.

use crate::state::{StateError, args};
use crate::workflow::row::{Run, run_columns};
use crate::workflow::space::{RUNS, WorkflowSpace};

use super::Asker;

/// What a new run begins with.
pub(crate) struct NewRun<'a> {
    pub(crate) title: &'a str,
    pub(crate) script: &'a str,
    /// A JSON object.
    pub(crate) args: &'a str,
    pub(crate) profile: Option<&'a str>,
    pub(crate) concurrency: u32,
    pub(crate) agent_calls: usize,
}

impl WorkflowSpace {
    /// A new run, or the one that the same call has made before.
    pub(crate) async fn create(&self, asker: Asker<'_>, new: &NewRun<'_>) -> Result<Run, StateError> {
        let mut tx = self.change(asker.agent).await?;
        let known = tx
            .row(
                concat!(
                    "SELECT ",
                    run_columns!(),
                    " FROM workflow_runs WHERE agent = $1 AND owner = $2 AND call_id = $3"
                ),
                args![asker.agent, asker.owner, asker.call_id],
            )
            .await?;
        if let Some(known) = known {
            return Run::read(&known);
        }
        let now = self.state.now();
        let row = tx
            .row(
                concat!(
                    "INSERT INTO workflow_runs (agent, owner, call_id, title, script, args, profile, concurrency, agent_calls, seed,
                         began, status, live, updated_at)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'running', 1, $11)
                     RETURNING ",
                    run_columns!()
                ),
                args![
                    asker.agent,
                    asker.owner,
                    asker.call_id,
                    new.title,
                    new.script,
                    new.args,
                    new.profile,
                    i64::from(new.concurrency),
                    i64::try_from(new.agent_calls).unwrap_or(i64::MAX),
                    i64::from(chance()),
                    now,
                ],
            )
            .await?;
        let run =
            Run::read(&row.ok_or_else(|| StateError::unreadable("the database gave a new workflow no id"))?)?;
        RUNS.push(&mut tx, &run.id.to_string(), None).await?;
        tx.commit().await?;
        Ok(run)
    }
}

/// A number that is another one each time.
fn chance() -> u32 {
    use std::hash::{BuildHasher as _, Hasher as _};
    let random = std::hash::RandomState::new().build_hasher().finish();
    u32::try_from(random & u64::from(u32::MAX)).unwrap_or_default()
}
