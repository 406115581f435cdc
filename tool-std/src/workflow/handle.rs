//! The workflows of one agent, as one of its conversations sees them.

use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::WorkflowError;
use super::program::{Program, fits};
use super::row::{Run, Task};
use super::space::WorkflowSpace;
use super::status::{RunStatus, TaskStatus};
use super::store::{Asker, NewRun};
use crate::jobs::slice;

/// The longest title, in characters.
pub(crate) const MAX_TITLE: usize = 200;

/// The workflows of an agent, started by one owner: mostly a conversation. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Workflows {
    pub(crate) space: WorkflowSpace,
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) profiles: Vec<String>,
    /// The pages that were named in this turn: each begins behind a run.
    pages: Arc<Mutex<Vec<i64>>>,
}

/// A workflow to start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewWorkflow {
    /// What it is called: 1 to 200 characters.
    pub title: String,
    /// The program.
    pub script: String,
    /// Its arguments: an object, or nothing.
    pub args: Option<Value>,
    /// How many tasks run at a time, at most as many as the deployment allows.
    pub concurrency: Option<u32>,
    /// How often it may call `agent`, at most as often as the deployment allows.
    pub max_agent_calls: Option<usize>,
    /// The model that answers calls that name none.
    pub model_profile: Option<String>,
}

/// A run, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RunState {
    /// The number of the run.
    pub run_id: i64,
    /// How far it is.
    pub status: RunStatus,
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RunSummary {
    /// The number of the run.
    pub run_id: i64,
    /// What it is called.
    pub title: String,
    /// How far it is.
    pub status: RunStatus,
}

/// A page of runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct RunList {
    /// At most 32, the newest first.
    pub workflows: Vec<RunSummary>,
    /// The name of the next page, for this turn; `None` if this is the last.
    pub next_page: Option<String>,
}

/// A task that was told something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct TaskTold {
    /// The number of the run.
    pub run_id: i64,
    /// The place of the task among its calls.
    pub call_seq: i64,
    /// How far it was.
    pub task_status: TaskStatus,
}

impl Workflows {
    /// The workflows of `agent`, started by `owner`. A call of one owner is known by its id: made again, it makes nothing new.
    pub fn new(space: &WorkflowSpace, agent: impl Into<String>, owner: impl Into<String>) -> Self {
        Self {
            space: space.clone(),
            agent: agent.into(),
            owner: owner.into(),
            profiles: Vec::new(),
            pages: Arc::default(),
        }
    }

    /// Sets the model profiles that a run can ask for. Without any the tool has no such parameter.
    #[must_use]
    pub fn profiles(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.profiles = names.into_iter().map(Into::into).collect();
        self
    }

    /// Starts a run. `call_id` names the asking: with one that was used before, the run that it made is given.
    ///
    /// # Errors
    ///
    /// When the title, the script or the arguments are none, or too long, the profile is none of those there are, and when the
    /// database fails. A script that cannot be read fails the run.
    pub async fn start(&self, call_id: &str, new: &NewWorkflow) -> Result<RunState, WorkflowError> {
        let title = new.title.trim();
        if title.is_empty() || title.chars().count() > MAX_TITLE || title.contains('\0') {
            return Err(WorkflowError::refused(format!("`title` must have 1 to {MAX_TITLE} characters")));
        }
        if let Some(profile) =
            new.model_profile.as_deref().filter(|name| !self.profiles.iter().any(|known| known == name))
        {
            return Err(WorkflowError::refused(match self.profiles.as_slice() {
                [] => "`model_profile` cannot be chosen here; leave it out".to_owned(),
                known => {
                    format!("`model_profile` is `{profile}` and must be one of `{}`", known.join("`, `"))
                }
            }));
        }
        // Whatever is wrong with the whole of it is told at once, and not by the run.
        Program::new(&new.script, new.args.clone(), 0, 0).map_err(WorkflowError::Refused)?;
        let limits = &self.space.limits;
        fits("the script", new.script.len(), limits.source_bytes).map_err(WorkflowError::Refused)?;
        let args = new.args.as_ref().map_or_else(|| "{}".to_owned(), Value::to_string);
        fits("`args`", args.len(), limits.args_bytes).map_err(WorkflowError::Refused)?;
        let row = NewRun {
            title,
            script: &new.script,
            args: &args,
            profile: new.model_profile.as_deref(),
            concurrency: new.concurrency.unwrap_or(limits.concurrency).clamp(1, limits.concurrency.max(1)),
            agent_calls: new
                .max_agent_calls
                .unwrap_or(limits.agent_calls)
                .clamp(1, limits.agent_calls.max(1)),
        };
        let run = self.space.create(self.asker(call_id), &row).await?;
        Ok(RunState { run_id: run.id, status: run.status })
    }

    /// How far a run is, as JSON: its counts, its live tasks, what has failed.
    ///
    /// # Errors
    ///
    /// When the agent has no such run, and when the database fails.
    pub async fn show(&self, id: i64) -> Result<Value, WorkflowError> {
        let run = self.space.find(&self.agent, id).await?;
        let mut shown = frame(&run);
        shown["counts"] = json!(self.space.counts(id).await?);
        shown["live_tasks"] = self.space.live_tasks(id).await?.iter().map(live).collect();
        shown["failure_summaries"] = self.space.failures(id).await?.iter().map(failed).collect();
        shown["error"] = json!(run.error);
        Ok(shown)
    }

    /// A piece of a result, as JSON of at most 8,000 bytes, from `offset` in bytes of its UTF-8. The pieces join to the exact
    /// text.
    ///
    /// # Errors
    ///
    /// When the agent has no such run, it is not completed, the offset is none, and when the database fails.
    pub async fn result(&self, id: i64, offset: usize) -> Result<Value, WorkflowError> {
        let run = self.space.find(&self.agent, id).await?;
        if run.status != RunStatus::Completed {
            return Err(WorkflowError::refused(format!(
                "the workflow {id} is {} and has no result; leave out `result_offset` to see how far it is",
                run.status.as_str()
            )));
        }
        let text = self.space.result(id).await?.unwrap_or_default();
        slice(&frame(&run), &text, offset).map_err(WorkflowError::Refused)
    }

    /// The whole result of a run; `None` if it is not completed.
    ///
    /// # Errors
    ///
    /// When the agent has no such run, and when the database fails.
    pub async fn whole_result(&self, id: i64) -> Result<Option<String>, WorkflowError> {
        self.space.find(&self.agent, id).await?;
        Ok(self.space.result(id).await?)
    }

    /// The live runs, or those that are over. `page` is the name of a page that this turn was given.
    ///
    /// # Errors
    ///
    /// When no page of this name was given, and when the database fails.
    pub async fn list(&self, live: bool, page: Option<&str>) -> Result<RunList, WorkflowError> {
        let behind = page.map_or(Ok(i64::MAX), |name| self.page(name))?;
        let page = self.space.page(&self.agent, live, behind).await?;
        let runs = page.runs.into_iter();
        Ok(RunList {
            workflows: runs
                .map(|run| RunSummary { run_id: run.id, title: run.title, status: run.status })
                .collect(),
            next_page: page.next.map(|behind| self.name_of(behind)),
        })
    }

    /// Says something to a live task: it wakes one that sleeps, and is read by others when their next turn begins.
    ///
    /// # Errors
    ///
    /// When the agent has no such run, it has no such task, the task is over, the message is blank or too long, and when the
    /// database fails.
    pub async fn send(
        &self,
        call_id: &str,
        id: i64,
        seq: i64,
        message: &str,
    ) -> Result<TaskTold, WorkflowError> {
        if message.trim().is_empty() || message.contains('\0') {
            return Err(WorkflowError::refused(
                "`message` is blank or has a NUL character; say what is meant",
            ));
        }
        fits("`message`", message.len(), self.space.limits.message_bytes).map_err(WorkflowError::Refused)?;
        let task = self.space.send(self.asker(call_id), id, seq, message).await?;
        Ok(TaskTold { run_id: id, call_seq: seq, task_status: task.status })
    }

    /// Cancels a run. One that is over stays as it is, which is no error.
    ///
    /// # Errors
    ///
    /// When the agent has no such run, and when the database fails.
    pub async fn cancel(&self, id: i64) -> Result<RunState, WorkflowError> {
        let run = self.space.cancel(&self.agent, id).await?;
        Ok(RunState { run_id: run.id, status: run.status })
    }

    fn asker<'a>(&'a self, call_id: &'a str) -> Asker<'a> {
        Asker { agent: &self.agent, owner: &self.owner, call_id }
    }

    fn page(&self, name: &str) -> Result<i64, WorkflowError> {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let number = name.strip_prefix("page_").and_then(|number| number.parse::<usize>().ok());
        let behind = number.and_then(|number| pages.get(number.checked_sub(1)?));
        behind.copied().ok_or_else(|| {
            WorkflowError::refused(format!(
                "no page of this turn is named `{name}`; leave out `page` for the first, and take the others from `next_page`"
            ))
        })
    }

    /// The name of a page in this turn; the same for the same page.
    fn name_of(&self, behind: i64) -> String {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let at = pages.iter().position(|known| *known == behind).unwrap_or_else(|| {
            pages.push(behind);
            pages.len() - 1
        });
        format!("page_{}", at + 1)
    }
}

/// What every answer about a run begins with.
fn frame(run: &Run) -> Value {
    json!({ "run_id": run.id, "title": run.title, "status": run.status })
}

fn live(task: &Task) -> Value {
    json!({
        "call_seq": task.seq,
        "label": task.title,
        "status": task.status,
        "note": task.note,
        "attention": task.attention,
        "sleeping_until": task.wake_at,
        "wake_count": task.sleeps,
    })
}

fn failed(task: &Task) -> Value {
    let error = task.error.as_ref();
    json!({
        "call_seq": task.seq,
        "label": task.title,
        "code": error.map(|error| &error.code),
        "summary": error.map(|error| &error.summary),
    })
}
