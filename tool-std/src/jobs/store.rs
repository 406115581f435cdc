//! The rows of jobs. Every change of a status is one conditional update, so that what is over stays over and a worker that
//! lost its claim changes nothing.

mod attempts;
mod claim;
mod events;
mod finish;
mod messages;
mod read;
mod slots;
mod steps;

pub(crate) use claim::{Beat, Claim};
pub(crate) use events::OUTBOX;
pub(crate) use finish::{End, Finished};
pub(crate) use messages::Message;
pub(crate) use read::Cursor;
pub(crate) use steps::StoredStep;

use super::JobError;
use super::job::{Job, job_columns};
use super::space::JobSpace;
use crate::state::{StateError, Tx, args};

/// What a new job begins with.
pub(crate) struct NewJob<'a> {
    pub(crate) title: &'a str,
    pub(crate) task: &'a str,
    pub(crate) template: Option<&'a str>,
    pub(crate) profile: Option<&'a str>,
}

/// Who asks, and with which call: a call that is made again finds what it made.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) agent: &'a str,
    pub(crate) owner: &'a str,
    pub(crate) call_id: &'a str,
}

impl JobSpace {
    /// A transaction in which no other changes jobs of this agent.
    pub(super) async fn change(&self, agent: &str) -> Result<Tx, StateError> {
        let mut tx = self.state.write().await?;
        tx.lock(&format!("background_jobs/{agent}")).await?;
        Ok(tx)
    }

    /// A new job, or the one that the same call has made before.
    pub(crate) async fn create(&self, asker: Asker<'_>, new: &NewJob<'_>) -> Result<Job, JobError> {
        let mut tx = self.change(asker.agent).await?;
        if let Some(known) = made_by(&mut tx, asker).await? {
            return same(known, new.task);
        }
        let id = self.insert(&mut tx, asker, new, None).await?;
        tx.run("UPDATE background_jobs SET thread = id WHERE id = $1", args![id]).await?;
        self.dispatch(&mut tx, asker.agent).await?;
        let job = by_id(&mut tx, id).await?;
        tx.commit().await?;
        Ok(job)
    }

    /// A new job that goes on where `source` ended, or the one that the same call has made before.
    pub(crate) async fn respawn(
        &self,
        asker: Asker<'_>,
        source: i64,
        message: &str,
    ) -> Result<Job, JobError> {
        let mut tx = self.change(asker.agent).await?;
        if let Some(known) = made_by(&mut tx, asker).await? {
            return same(known, message);
        }
        let row = tx
            .row(
                concat!("SELECT ", job_columns!(), " FROM background_jobs WHERE id = $1 AND agent = $2"),
                args![source, asker.agent],
            )
            .await?;
        let Some(row) = row else { return Err(JobError::unknown(source)) };
        let job = Job::read(&row)?;
        if job.status.is_live() {
            return Err(JobError::refused(format!(
                "the job {source} is {} and can be continued only when it is over; send it a message, or stop it first",
                job.status.as_str()
            )));
        }
        if job.turn == 0 {
            return Err(JobError::refused(format!(
                "the job {source} never began, so there is nothing to continue; create a new one"
            )));
        }
        let next = tx.row("SELECT id FROM background_jobs WHERE source = $1", args![source]).await?;
        if let Some(next) = next {
            let next = next.int("id")?;
            return Err(JobError::refused(format!(
                "the job {source} is already continued by the job {next}; continue that one"
            )));
        }
        if !self.workspace(job.thread).is_dir() {
            return Err(JobError::refused(format!(
                "the directory of the job {source} is gone, so it cannot be continued; create a new one"
            )));
        }
        let new = NewJob {
            title: &job.title,
            task: message,
            template: job.template.as_deref(),
            profile: job.profile.as_deref(),
        };
        let id = self.insert(&mut tx, asker, &new, Some(&job)).await?;
        self.dispatch(&mut tx, asker.agent).await?;
        let job = by_id(&mut tx, id).await?;
        tx.commit().await?;
        Ok(job)
    }

    async fn insert(
        &self,
        tx: &mut Tx,
        asker: Asker<'_>,
        new: &NewJob<'_>,
        source: Option<&Job>,
    ) -> Result<i64, StateError> {
        let now = self.state.now();
        let turn = source.map_or(0, |source| source.turn);
        let row = tx
            .row(
                "INSERT INTO background_jobs (agent, owner, call_id, title, task, template, profile, source, thread, status, live,
                     slot, ready_at, claims, failures, stalls, first_turn, turn, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 1, 0, $10, 0, 0, 0, $11, $12, $10, $10)
                 RETURNING id",
                args![
                    asker.agent,
                    asker.owner,
                    asker.call_id,
                    new.title,
                    new.task,
                    new.template,
                    new.profile,
                    source.map(|source| source.id),
                    source.map(|source| source.thread),
                    now,
                    turn + 1,
                    turn,
                ],
            )
            .await?;
        row.ok_or_else(|| StateError::unreadable("the database gave a new job no id"))?.int("id")
    }
}

/// A job that was made before by a call of this id, if it was the same call.
fn same(known: Job, task: &str) -> Result<Job, JobError> {
    if known.task == task {
        return Ok(known);
    }
    let id = known.id;
    Err(JobError::refused(format!(
        "a call with this id has asked for the job {id} before, with another task; ask again in a new call"
    )))
}

/// The job that this call has made.
async fn made_by(tx: &mut Tx, asker: Asker<'_>) -> Result<Option<Job>, StateError> {
    let row = tx
        .row(
            concat!(
                "SELECT ",
                job_columns!(),
                " FROM background_jobs WHERE agent = $1 AND owner = $2 AND call_id = $3"
            ),
            args![asker.agent, asker.owner, asker.call_id],
        )
        .await?;
    row.as_ref().map(Job::read).transpose()
}

/// A job that is there.
async fn by_id(tx: &mut Tx, id: i64) -> Result<Job, StateError> {
    let row =
        tx.row(concat!("SELECT ", job_columns!(), " FROM background_jobs WHERE id = $1"), args![id]).await?;
    Job::read(&row.ok_or_else(|| StateError::unreadable(format!("the job {id} is gone from the database")))?)
}
