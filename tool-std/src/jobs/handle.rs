//! The jobs of one agent, as one of its conversations sees them.

use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tool_runtime::Steering;

use super::job::Job;
use super::slice::slice;
use super::space::JobSpace;
use super::store::{Asker, Cursor, NewJob};
use super::{JobError, JobStatus, details};

/// The longest title, in characters.
pub(crate) const MAX_TITLE: usize = 200;
/// The longest task or message, in bytes.
pub const MAX_MESSAGE: usize = 256 * 1024;

/// The background jobs of an agent, asked for by one owner: mostly a conversation. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Jobs {
    pub(crate) space: JobSpace,
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) templates: Vec<String>,
    pub(crate) profiles: Vec<String>,
    pub(crate) steering: Option<Steering>,
    /// The pages that were named in this turn, in order.
    pages: Arc<Mutex<Vec<Cursor>>>,
}

/// A job, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobSummary {
    /// The number of the job.
    pub job_id: i64,
    /// What it is called.
    pub title: String,
    /// How far it is.
    pub status: JobStatus,
}

/// A job that was asked for, or stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobState {
    /// The number of the job.
    pub job_id: i64,
    /// How far it is.
    pub status: JobStatus,
}

/// A page of jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct JobList {
    /// At most 32, the one that changed last first.
    pub jobs: Vec<JobSummary>,
    /// The name of the next page, for this turn; `None` if this is the last.
    pub next_page: Option<String>,
}

impl Jobs {
    /// The jobs of `agent`, asked for by `owner`. A call of one owner is known by its id: made again, it makes nothing new.
    pub fn new(space: &JobSpace, agent: impl Into<String>, owner: impl Into<String>) -> Self {
        Self {
            space: space.clone(),
            agent: agent.into(),
            owner: owner.into(),
            templates: Vec::new(),
            profiles: Vec::new(),
            steering: None,
            pages: Arc::default(),
        }
    }

    /// Sets the templates that a workspace can be made from. The worker's kit is told which was chosen. Without any there
    /// is nothing to choose.
    #[must_use]
    pub fn templates(mut self, ids: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.templates = ids.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the model profiles that a job can ask for. Without any the tool has no such parameter.
    #[must_use]
    pub fn profiles(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.profiles = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the steering of the turn that has the tools: waiting for a reply of a job ends when the user says something.
    #[must_use]
    pub fn steering(mut self, steering: Steering) -> Self {
        self.steering = Some(steering);
        self
    }

    /// Asks for a job. `call_id` names the asking: with one that was used before, the job that it made is given.
    ///
    /// # Errors
    ///
    /// When the title or the task is blank or too long, the template or the profile is none of those there are, and when the
    /// database fails.
    pub async fn create(
        &self,
        call_id: &str,
        title: &str,
        task: &str,
        template: Option<&str>,
        profile: Option<&str>,
    ) -> Result<JobState, JobError> {
        let title = title.trim();
        if title.is_empty() || title.chars().count() > MAX_TITLE {
            return Err(JobError::refused(format!("`title` must have 1 to {MAX_TITLE} characters")));
        }
        sayable("title", title)?;
        sayable("task", task)?;
        one_of("workspace_template_id", template, &self.templates)?;
        one_of("model_profile", profile, &self.profiles)?;
        let job = self.space.create(self.asker(call_id), &NewJob { title, task, template, profile }).await?;
        Ok(JobState::of(&job))
    }

    /// The live jobs, or those that are over. `page` is the name of a page that this turn was given.
    ///
    /// # Errors
    ///
    /// When no page of this name was given, and when the database fails.
    pub async fn list(&self, live: bool, page: Option<&str>) -> Result<JobList, JobError> {
        let from = match page {
            None => Cursor::START,
            Some(name) => self.page(name)?,
        };
        let page = self.space.page(&self.agent, live, from).await?;
        let jobs = page.jobs.into_iter();
        Ok(JobList {
            jobs: jobs
                .map(|job| JobSummary { job_id: job.id, title: job.title, status: job.status })
                .collect(),
            next_page: page.next.map(|cursor| self.name_of(cursor)),
        })
    }

    /// All about a job, as JSON.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, and when the database fails.
    pub async fn details(&self, id: i64) -> Result<Value, JobError> {
        let job = self.space.find(&self.agent, id).await?;
        Ok(details::of(&self.space, &job).await?)
    }

    /// A piece of a result, as JSON of at most 8,000 bytes, from `offset` in bytes of its UTF-8. The pieces join to the exact
    /// text.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, it has not succeeded, the offset is none, and when the database fails.
    pub async fn result(&self, id: i64, offset: usize) -> Result<Value, JobError> {
        let job = self.space.find(&self.agent, id).await?;
        if job.status != JobStatus::Succeeded {
            return Err(JobError::refused(format!(
                "the job {id} is {} and has no result; leave out `result_offset` to see how far it is",
                job.status.as_str()
            )));
        }
        let text = self.space.result(id).await?.unwrap_or_default();
        slice(&details::frame(&job), &text, offset).map_err(JobError::Refused)
    }

    /// The whole result of a job; `None` if it has not succeeded.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, and when the database fails.
    pub async fn whole_result(&self, id: i64) -> Result<Option<String>, JobError> {
        self.space.find(&self.agent, id).await?;
        Ok(self.space.result(id).await?)
    }

    /// Says something to a live job; gives its status before and the number of the message.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, it is over, the message is empty or too long, and when the database fails.
    pub async fn send(&self, call_id: &str, id: i64, message: &str) -> Result<(JobState, i64), JobError> {
        sayable("message", message)?;
        let (job, message) = self.space.send(self.asker(call_id), id, message).await?;
        Ok((JobState::of(&job), message))
    }

    /// Continues a job that is over as a new one, with the same conversation and directory.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, it is live, never began, is continued already, has no directory any more, the message
    /// is blank or too long, and when the database fails.
    pub async fn respawn(&self, call_id: &str, source: i64, message: &str) -> Result<JobState, JobError> {
        sayable("message", message)?;
        let job = self.space.respawn(self.asker(call_id), source, message).await?;
        Ok(JobState::of(&job))
    }

    /// Stops a job. One that is over stays as it is, which is no error.
    ///
    /// # Errors
    ///
    /// When the agent has no such job, and when the database fails.
    pub async fn stop(&self, id: i64) -> Result<JobState, JobError> {
        self.space.stop(&self.agent, id).await?;
        Ok(JobState::of(&self.space.find(&self.agent, id).await?))
    }

    fn asker<'a>(&'a self, call_id: &'a str) -> Asker<'a> {
        Asker { agent: &self.agent, owner: &self.owner, call_id }
    }

    fn page(&self, name: &str) -> Result<Cursor, JobError> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let number = name.strip_prefix("page_").and_then(|number| number.parse::<usize>().ok());
        let cursor = number.and_then(|number| pages.get(number.checked_sub(1)?));
        cursor.copied().ok_or_else(|| {
            JobError::refused(format!(
                "no page of this turn is named `{name}`; leave out `page` for the first, and take the others from `next_page`"
            ))
        })
    }

    /// The name of a page in this turn; the same for the same page.
    fn name_of(&self, cursor: Cursor) -> String {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let at = pages.iter().position(|known| *known == cursor).unwrap_or_else(|| {
            pages.push(cursor);
            pages.len() - 1
        });
        format!("page_{}", at + 1)
    }
}

impl JobState {
    pub(crate) fn of(job: &Job) -> Self {
        Self { job_id: job.id, status: job.status }
    }
}

/// Whether a text can be kept and said.
fn sayable(name: &str, text: &str) -> Result<(), JobError> {
    if text.trim().is_empty() {
        return Err(JobError::refused(format!("`{name}` is blank; say what is meant")));
    }
    if text.len() > MAX_MESSAGE {
        let len = text.len();
        return Err(JobError::refused(format!(
            "`{name}` has {len} bytes and may have {MAX_MESSAGE}; put the rest into a file that the job can read"
        )));
    }
    if text.contains('\0') {
        return Err(JobError::refused(format!("`{name}` has a NUL character; leave it out")));
    }
    Ok(())
}

fn one_of(name: &str, value: Option<&str>, known: &[String]) -> Result<(), JobError> {
    match value {
        Some(value) if !known.iter().any(|known| known == value) => Err(JobError::refused(match known {
            [] => format!("`{name}` cannot be chosen here; leave it out"),
            known => format!("`{name}` is `{value}` and must be one of `{}`", known.join("`, `")),
        })),
        _ => Ok(()),
    }
}
