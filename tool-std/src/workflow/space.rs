//! Where workflows are kept: their rows in the state database, the conversations of their tasks in a folder.

use std::path::{Path, PathBuf};

use crate::state::{Queue, State};

use super::limits::WorkflowLimits;

/// The queue of runs whose program can go on; its names are their ids.
pub(crate) const RUNS: Queue = Queue::new("workflow_runs");
/// The queue of tasks that have a slot; its names are their ids.
pub(crate) const TASKS: Queue = Queue::new("workflow_tasks");

/// Where workflows are kept. The programs that start runs and the workers that run them have equal ones. Cheap to clone.
#[derive(Clone, Debug)]
pub struct WorkflowSpace {
    pub(crate) state: State,
    pub(crate) folder: PathBuf,
    pub(crate) limits: WorkflowLimits,
}

impl WorkflowSpace {
    /// Workflows with their rows in `state` and the conversations of their tasks in `folder`, which all workers must reach
    /// under this path.
    pub fn new(state: &State, folder: impl Into<PathBuf>) -> Self {
        Self { state: state.clone(), folder: folder.into(), limits: WorkflowLimits::default() }
    }

    /// Sets the limits of each run. None goes over its hard cap.
    #[must_use]
    pub fn limits(mut self, limits: WorkflowLimits) -> Self {
        self.limits = limits.capped();
        self
    }

    /// The folder of a task.
    pub(crate) fn task_folder(&self, run: i64, seq: i64) -> PathBuf {
        self.folder.join(run.to_string()).join(seq.to_string())
    }

    /// The state database.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The folder with the conversations of all tasks.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
