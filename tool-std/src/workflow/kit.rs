//! What a task runs with: its model and its tools.

use std::fmt;
use std::sync::Arc;

use tool_runtime::{BoxFuture, Model, WorkerAgentTool};

/// The tools that a host can give a task, beside `sleep` and `submit_result`, in the order of the catalog.
pub(crate) const GIVEN: &[&str] = &[
    "web_search",
    "web_fetch",
    "recall",
    "get_page",
    "create_background_job",
    "show_background_job_details",
    "send_message_to_background_job",
    "stop_background_job",
];

/// What the host is told of a task when it makes its [`TaskKit`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskBrief {
    /// The run that the task belongs to.
    pub run: i64,
    /// Its place among the calls of the run, counted from 0.
    pub call_seq: i64,
    /// The number of the task, which no other has.
    pub call_id: i64,
    /// The agent that the run belongs to.
    pub agent: String,
    /// What is asked.
    pub prompt: String,
    /// What the call is called, if it is.
    pub label: Option<String>,
    /// The model profile that the call asks for, or else its run.
    pub model_profile: Option<String>,
    /// Which claim of the task this is, counted from 1.
    pub claim: i64,
}

/// What a task runs with. Its catalog is fixed: the host gives tools of the names in it, and no others.
#[derive(Clone)]
#[must_use]
pub struct TaskKit {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) tools: Vec<WorkerAgentTool>,
    pub(crate) identity: String,
    pub(crate) iteration_limit: u32,
}

impl TaskKit {
    /// A model, and no tools beside `sleep` and `submit_result`.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            tools: Vec::new(),
            identity: String::new(),
            iteration_limit: tool_runtime::DEFAULT_ITERATION_LIMIT,
        }
    }

    /// Gives the task tools: of the names `web_search`, `web_fetch`, `recall`, `get_page`, `create_background_job`,
    /// `show_background_job_details`, `send_message_to_background_job` and `stop_background_job`. With a tool of another name
    /// the attempt fails, and says so.
    pub fn tools(mut self, tools: impl IntoIterator<Item = WorkerAgentTool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Says who the agent is and what it is for, at the beginning of its instructions.
    pub fn identity(mut self, identity: impl Into<String>) -> Self {
        self.identity = identity.into();
        self
    }

    /// Sets how many rounds a turn has with its tools; 50 by default, at least 1.
    pub fn iteration_limit(mut self, limit: u32) -> Self {
        self.iteration_limit = limit.max(1);
        self
    }
}

impl fmt::Debug for TaskKit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TaskKit").field("tools", &self.tools.len()).finish_non_exhaustive()
    }
}

/// Makes the kit of a task.
pub(crate) type MakeKit = Arc<dyn Fn(TaskBrief) -> BoxFuture<'static, Result<TaskKit, String>> + Send + Sync>;
