//! What a job runs with: its model and its tools.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use tool_runtime::{Agent, BoxFuture, Model, WorkerAgentTool};

/// What the host is told of a job when it makes its [`JobKit`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JobBrief {
    /// The number of the job.
    pub id: i64,
    /// The agent that it belongs to.
    pub agent: String,
    /// What it is called.
    pub title: String,
    /// What is to be done.
    pub task: String,
    /// The template of its workspace, if one was asked for.
    pub workspace_template_id: Option<String>,
    /// The model profile, if one was asked for.
    pub model_profile: Option<String>,
    /// The directory for its files. It is there, empty at first, and the same for jobs that continue it.
    pub workspace: PathBuf,
    /// Which attempt this is, counted from 1.
    pub attempt: i64,
}

/// What a job runs with. Nobody is there to allow a call, so the tools are all that the job may do.
#[derive(Clone)]
#[must_use]
pub struct JobKit {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) tools: Vec<WorkerAgentTool>,
    pub(crate) agent: Arc<dyn Fn(Agent) -> Agent + Send + Sync>,
}

impl JobKit {
    /// A model and the tools of the job. With [`clarify`](crate::clarify::clarify()) among them, the job can ask its owner and
    /// wait for the answer.
    pub fn new(model: Arc<dyn Model>, tools: Vec<WorkerAgentTool>) -> Self {
        Self { model, tools, agent: Arc::new(|agent| agent) }
    }

    /// Sets what else the turns of the job have: instructions, limits, a check of the answer. Its journal and its steering
    /// are the job's own.
    pub fn agent(mut self, configure: impl Fn(Agent) -> Agent + Send + Sync + 'static) -> Self {
        self.agent = Arc::new(configure);
        self
    }
}

impl fmt::Debug for JobKit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobKit").field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}

/// Makes the kit of a job.
pub(crate) type MakeKit = Arc<dyn Fn(JobBrief) -> BoxFuture<'static, Result<JobKit, String>> + Send + Sync>;
