//! Looking at runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::state::{StateError, args};
use crate::workflow::WorkflowError;
use crate::workflow::row::{Run, Task, run_columns, task_columns};
use crate::workflow::space::WorkflowSpace;
use crate::workflow::status::TaskStatus;

/// How many runs a page has.
const PAGE: usize = 32;
/// How many live tasks are shown.
const LIVE_TASKS: i64 = 32;
/// How many failures are shown.
const FAILURES: i64 = 10;

/// How many tasks a run has, by how far they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Counts {
    /// All tasks: the sum of the others.
    pub total: i64,
    /// Those that wait for a worker.
    pub queued: i64,
    /// Those that a worker runs.
    pub running: i64,
    /// Those that sleep.
    pub sleeping: i64,
    /// Those that have their result.
    pub succeeded: i64,
    /// Those whose attempts have all failed.
    pub failed: i64,
    /// Those whose run was over before them.
    pub cancelled: i64,
}

/// Runs, the newest first.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) runs: Vec<Run>,
    /// The next page begins behind this run.
    pub(crate) next: Option<i64>,
}

impl WorkflowSpace {
    /// A run of an agent.
    pub(crate) async fn find(&self, agent: &str, id: i64) -> Result<Run, WorkflowError> {
        let row = self
            .state
            .database
            .row(
                concat!("SELECT ", run_columns!(), " FROM workflow_runs WHERE id = $1 AND agent = $2"),
                args![id, agent],
            )
            .await?;
        Ok(Run::read(&row.ok_or(WorkflowError::Unknown { id })?)?)
    }

    /// A page of the live runs of an agent, or of those that are over, from behind a run on.
    pub(crate) async fn page(&self, agent: &str, live: bool, behind: i64) -> Result<Page, StateError> {
        let limit = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
        let rows = self
            .state
            .database
            .rows(
                concat!(
                    "SELECT ",
                    run_columns!(),
                    " FROM workflow_runs WHERE agent = $1 AND live = $2 AND id < $3 ORDER BY id DESC LIMIT $4"
                ),
                args![agent, i64::from(live), behind, limit],
            )
            .await?;
        let mut runs = rows.iter().map(Run::read).collect::<Result<Vec<_>, _>>()?;
        let has_more = runs.len() > PAGE;
        runs.truncate(PAGE);
        let next = runs.last().filter(|_| has_more).map(|run| run.id);
        Ok(Page { runs, next })
    }

    /// How many tasks a run has.
    pub(crate) async fn counts(&self, run: i64) -> Result<Counts, StateError> {
        let rows = self
            .state
            .database
            .rows(
                "SELECT status, COUNT(*) AS tasks FROM workflow_tasks WHERE run = $1 GROUP BY status",
                args![run],
            )
            .await?;
        let mut counts = Counts::default();
        for row in rows {
            let tasks = row.int("tasks")?;
            counts.total += tasks;
            *match TaskStatus::read(&row.text("status")?)? {
                TaskStatus::Queued => &mut counts.queued,
                TaskStatus::Running => &mut counts.running,
                TaskStatus::Sleeping => &mut counts.sleeping,
                TaskStatus::Succeeded => &mut counts.succeeded,
                TaskStatus::Failed => &mut counts.failed,
                TaskStatus::Cancelled => &mut counts.cancelled,
            } += tasks;
        }
        Ok(counts)
    }

    /// The live tasks of a run: those that ask for attention first.
    pub(crate) async fn live_tasks(&self, run: i64) -> Result<Vec<Task>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                concat!(
                    "SELECT ",
                    task_columns!(),
                    " FROM workflow_tasks WHERE run = $1 AND status IN ('queued', 'running', 'sleeping')
                     ORDER BY attention DESC, seq LIMIT $2"
                ),
                args![run, LIVE_TASKS],
            )
            .await?;
        rows.iter().map(Task::read).collect()
    }

    /// The tasks of a run that have failed.
    pub(crate) async fn failures(&self, run: i64) -> Result<Vec<Task>, StateError> {
        let rows = self
            .state
            .database
            .rows(
                concat!(
                    "SELECT ",
                    task_columns!(),
                    " FROM workflow_tasks WHERE run = $1 AND status = 'failed' ORDER BY seq LIMIT $2"
                ),
                args![run, FAILURES],
            )
            .await?;
        rows.iter().map(Task::read).collect()
    }

    /// The result of a run that is completed.
    pub(crate) async fn result(&self, id: i64) -> Result<Option<String>, StateError> {
        let row =
            self.state.database.row("SELECT result FROM workflow_runs WHERE id = $1", args![id]).await?;
        row.map_or(Ok(None), |row| row.optional_text("result"))
    }
}
