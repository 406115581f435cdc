//! Looking at jobs.

use crate::jobs::JobError;
use crate::jobs::job::{Job, job_columns};
use crate::jobs::space::JobSpace;
use crate::state::{StateError, args, json};

/// How many jobs a page has.
const PAGE: usize = 32;

/// Where a page begins: behind this job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) updated_at: i64,
    pub(crate) id: i64,
}

impl Cursor {
    /// Before the newest job.
    pub(crate) const START: Self = Self { updated_at: i64::MAX, id: i64::MAX };
}

/// Jobs, the one that changed last first.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) jobs: Vec<Job>,
    /// Where the next page begins, if there is one.
    pub(crate) next: Option<Cursor>,
}

impl JobSpace {
    /// A page of the live jobs of an agent, or of those that are over.
    pub(crate) async fn page(&self, agent: &str, live: bool, from: Cursor) -> Result<Page, StateError> {
        let limit = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
        let rows = self
            .state
            .database
            .rows(
                concat!(
                    "SELECT ",
                    job_columns!(),
                    " FROM background_jobs
                     WHERE agent = $1 AND live = $2 AND (updated_at < $3 OR (updated_at = $3 AND id < $4))
                     ORDER BY updated_at DESC, id DESC LIMIT $5"
                ),
                args![agent, i64::from(live), from.updated_at, from.id, limit],
            )
            .await?;
        let mut jobs = rows.iter().map(Job::read).collect::<Result<Vec<_>, _>>()?;
        let has_more = jobs.len() > PAGE;
        jobs.truncate(PAGE);
        let next = jobs.last().filter(|_| has_more);
        let next = next.map(|job| Cursor { updated_at: job.updated_at, id: job.id });
        Ok(Page { jobs, next })
    }

    /// A job of an agent.
    pub(crate) async fn find(&self, agent: &str, id: i64) -> Result<Job, JobError> {
        let row = self
            .state
            .database
            .row(
                concat!("SELECT ", job_columns!(), " FROM background_jobs WHERE id = $1 AND agent = $2"),
                args![id, agent],
            )
            .await?;
        Ok(Job::read(&row.ok_or_else(|| JobError::unknown(id))?)?)
    }

    /// The result of a job that succeeded.
    pub(crate) async fn result(&self, id: i64) -> Result<Option<String>, StateError> {
        let row =
            self.state.database.row("SELECT result FROM background_jobs WHERE id = $1", args![id]).await?;
        row.map_or(Ok(None), |row| json(&row, "result"))
    }
}
