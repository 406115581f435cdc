//! Where the command line keeps what outlives it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use tokio::runtime::Runtime;
use tool_std::jobs::{JobSpace, Jobs};
use tool_std::memory::{Memory, StateMemory};
use tool_std::schedule::{ReplyTarget, Schedules};
use tool_std::state::State;
use tool_std::workflow::{WorkflowSpace, Workflows};

use crate::failure::Failure;

/// The agent whose jobs, schedules and memory the command line has.
const AGENT: &str = "worker-tools";

/// Where state is kept.
#[derive(Args, Clone)]
pub(crate) struct StateOptions {
    /// State directory, or the address of a PostgreSQL database (`postgres://…`), for background jobs, schedules,
    /// workflows and the memory; without it there are no tools for them [the commands that are about them take
    /// DATABASE_URL too]
    #[arg(long, global = true, value_name = "PLACE")]
    state: Option<String>,

    /// Folder with the files of background jobs [default: `jobs` in the state directory]
    #[arg(long, global = true, value_name = "DIR")]
    job_files: Option<PathBuf>,

    /// How many background jobs run at a time, over all workers
    #[arg(long, global = true, value_name = "N", default_value_t = tool_std::jobs::RUNNING_PER_AGENT)]
    running_jobs: u32,

    /// The state once it is open: all that is kept in it shares its connections.
    #[arg(skip)]
    opened: Arc<OnceLock<State>>,
}

impl StateOptions {
    /// Where the jobs of a turn are kept, if a state is named.
    ///
    /// # Errors
    ///
    /// When the state cannot be opened.
    pub(crate) fn of_turn(&self) -> Result<Option<JobSpace>, Failure> {
        self.state.as_deref().map(|place| self.space_at(place)).transpose()
    }

    /// Whether a state is named.
    pub(crate) fn is_named(&self) -> bool {
        self.state.is_some() || std::env::var("DATABASE_URL").is_ok_and(|url| !url.is_empty())
    }

    /// The schedules of a turn, if a state is named. What they begin is a background job.
    ///
    /// # Errors
    ///
    /// When the state cannot be opened.
    pub(crate) fn turn_schedules(&self) -> Result<Option<Schedules>, Failure> {
        self.state.as_deref().map(|place| Ok(schedules_of(self.open(place)?))).transpose()
    }

    /// The schedules, for the commands that are about them.
    ///
    /// # Errors
    ///
    /// When no state is named, or it cannot be opened.
    pub(crate) fn schedules(&self) -> Result<Schedules, Failure> {
        Ok(schedules_of(self.open(&self.place()?)?))
    }

    /// The memory of a turn, or of a job, if a state is named.
    ///
    /// # Errors
    ///
    /// When the state cannot be opened.
    pub(crate) fn memory(&self) -> Result<Option<Memory>, Failure> {
        let memory = |state: &State| Memory::new(StateMemory::new(state, AGENT));
        match (self.opened.get(), self.state.as_deref()) {
            // A worker may have opened the one that the environment names.
            (Some(state), _) => Ok(Some(memory(state))),
            (None, Some(place)) => Ok(Some(memory(&self.open(place)?))),
            (None, None) => Ok(None),
        }
    }

    /// The memory, for the commands that are about it.
    ///
    /// # Errors
    ///
    /// When no state is named, or it cannot be opened.
    pub(crate) fn kept_memory(&self) -> Result<StateMemory, Failure> {
        Ok(StateMemory::new(&self.open(&self.place()?)?, AGENT))
    }

    /// Where jobs are kept, for the commands that are about them.
    ///
    /// # Errors
    ///
    /// When no state is named, or it cannot be opened.
    pub(crate) fn space(&self) -> Result<JobSpace, Failure> {
        self.space_at(&self.place()?)
    }

    fn place(&self) -> Result<String, Failure> {
        if let Some(place) = &self.state {
            return Ok(place.clone());
        }
        let Some(url) = std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty()) else {
            return Err(
                "no state is named; use `--state DIR`, or `--state` or DATABASE_URL with `postgres://…`"
                    .to_owned()
                    .into(),
            );
        };
        // What another program means by it is not to become a folder.
        let is_address = ["postgres://", "postgresql://", "sqlite:"].iter().any(|form| url.starts_with(form));
        if !is_address && !Path::new(&url).is_dir() {
            return Err("DATABASE_URL is neither of the form `postgres://…` nor a state directory; name a state by `--state PLACE`"
                .to_owned()
                .into());
        }
        Ok(url)
    }

    fn open(&self, place: &str) -> Result<State, Failure> {
        if let Some(state) = self.opened.get() {
            return Ok(state.clone());
        }
        let state = runtime()?.block_on(State::open(place)).map_err(|error| error.to_string())?;
        Ok(self.opened.get_or_init(|| state).clone())
    }

    /// The workflows that belong to these jobs: with the same state, and with files beside theirs.
    ///
    /// # Errors
    ///
    /// When the folder for them cannot be made.
    pub(crate) fn workflows(&self, jobs: &JobSpace) -> Result<WorkflowSpace, Failure> {
        let files = match (&self.job_files, jobs.folder().parent()) {
            (None, Some(state)) => state.join("workflows"),
            _ => jobs.folder().join("workflows"),
        };
        std::fs::create_dir_all(&files).map_err(|error| Failure::about(files.display(), error))?;
        Ok(WorkflowSpace::new(jobs.state(), files))
    }

    fn space_at(&self, place: &str) -> Result<JobSpace, Failure> {
        let state = self.open(place)?;
        let files = match &self.job_files {
            Some(files) => files.clone(),
            None if state.is_shared() || place.starts_with("sqlite:") => {
                return Err(
                    "`--job-files DIR` is missing: the state is no folder that could hold the files of jobs"
                        .to_owned()
                        .into(),
                );
            }
            None => PathBuf::from(place).join("jobs"),
        };
        // Tools of jobs work in it under any folder.
        std::fs::create_dir_all(&files).map_err(|error| Failure::about(files.display(), error))?;
        let files = files.canonicalize().map_err(|error| Failure::about(files.display(), error))?;
        Ok(JobSpace::new(&state, files).running_per_agent(self.running_jobs))
    }
}

/// Workflows that are gone with this folder.
///
/// # Errors
///
/// When the state cannot be opened.
pub(crate) fn workflows_in(folder: &Path) -> Result<WorkflowSpace, Failure> {
    let place =
        folder.to_str().ok_or_else(|| "the folder for temporary files has no name in UTF-8".to_owned())?;
    let state = runtime()?.block_on(State::open(place)).map_err(|error| error.to_string())?;
    Ok(WorkflowSpace::new(&state, folder.join("workflows")))
}

/// The jobs of the command line, each program of it an owner of its own.
pub(crate) fn jobs_of(space: &JobSpace) -> Jobs {
    Jobs::new(space, AGENT, owner())
}

/// The same for workflows.
pub(crate) fn workflows_of(space: &WorkflowSpace) -> Workflows {
    Workflows::new(space, AGENT, owner())
}

/// The workflows of the command line, with an owner who is the same in each program.
pub(crate) fn kept_workflows_of(space: &WorkflowSpace) -> Workflows {
    Workflows::new(space, AGENT, "command line")
}

fn owner() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("program {} of {}", std::process::id(), since.as_nanos())
}

/// The schedules of the command line. Their answers go to whoever looks at the jobs.
fn schedules_of(state: State) -> Schedules {
    let target = ReplyTarget::new(AGENT, "jobs");
    Schedules::new(state, AGENT).conversation(AGENT).reply_to(target)
}

/// A runtime that lives as long as the program, so that connections made in it do.
fn runtime() -> Result<&'static Runtime, Failure> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime))
}
