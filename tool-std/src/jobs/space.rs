//! Where jobs are kept: their rows in the state database, their files in a folder.

use std::path::{Path, PathBuf};

use crate::state::{Queue, State};

/// How many jobs of one agent run at a time by default.
pub const RUNNING_PER_AGENT: u32 = 3;

/// The queue of jobs; its names are their ids.
pub(crate) const QUEUE: Queue = Queue::new("background_jobs");

/// Where jobs are kept. The programs that ask for jobs and the workers that run them have equal ones. Cheap to clone.
#[derive(Clone, Debug)]
pub struct JobSpace {
    pub(crate) state: State,
    pub(crate) folder: PathBuf,
    pub(crate) running_per_agent: u32,
}

impl JobSpace {
    /// Jobs with their rows in `state` and their files in `folder`, which all workers must reach under this path.
    pub fn new(state: &State, folder: impl Into<PathBuf>) -> Self {
        Self { state: state.clone(), folder: folder.into(), running_per_agent: RUNNING_PER_AGENT }
    }

    /// Sets how many jobs of one agent run at a time; [`RUNNING_PER_AGENT`] by default, at least 1. Others wait in the
    /// order in which they came.
    #[must_use]
    pub fn running_per_agent(mut self, limit: u32) -> Self {
        self.running_per_agent = limit.max(1);
        self
    }

    /// The state database.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The folder with the files of all jobs.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a job and of those that continue it.
    pub(crate) fn thread_folder(&self, thread: i64) -> PathBuf {
        self.folder.join(thread.to_string())
    }

    /// The directory in which the tools of a job work.
    pub(crate) fn workspace(&self, thread: i64) -> PathBuf {
        self.thread_folder(thread).join("workspace")
    }
}
