//! What the command line says about the turn, and the tools that follow from it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use clap::{Args, ValueEnum};
use tempfile::TempDir;
use tool_runtime::{CallError, Steering, ToolSet, WorkerAgentTool};
use tool_std::computer::Computer;
use tool_std::computer::sandbox::{Network, SandboxChoice};
use tool_std::memory::memory_tools;
use tool_std::skills::{McpConfig, Skills};
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};
use tool_std::web::web_tools;

use crate::failure::Failure;
use crate::state::{StateOptions, jobs_of, workflows_of};
use crate::web_options::{SEARCH_OPTIONS, WebOptions};

/// What the turn has. A new part of a turn gets its option here and its line in [`TurnOptions::context`].
#[derive(Args, Clone)]
#[command(next_help_heading = "The turn")]
pub(crate) struct TurnOptions {
    /// Folder in which commands run and relative paths begin
    #[arg(long, global = true, value_name = "DIR", default_value = ".")]
    workspace: PathBuf,

    /// Durable folder that `~` means [default: the workspace]
    #[arg(long, global = true, value_name = "DIR")]
    home: Option<PathBuf>,

    /// Folder from which files can be attached to a reply; without it there is no `reply_attachment`
    #[arg(long, global = true, value_name = "DIR")]
    user_files: Option<PathBuf>,

    /// Folder with skills, each a folder with a `SKILL.md`; may be given again
    #[arg(long, global = true, value_name = "DIR")]
    skills: Vec<PathBuf>,

    /// What encloses commands
    #[arg(long, global = true, value_enum, default_value = "auto")]
    sandbox: Enclosure,

    /// Whether commands have a network
    #[arg(long, global = true, value_enum, default_value = "open")]
    network: Reach,

    /// Variable in the environment of commands; without a value, that of this program; may be given again
    #[arg(long, global = true, value_name = "NAME[=VALUE]")]
    env: Vec<String>,

    #[command(flatten)]
    web: WebOptions,

    #[command(flatten)]
    pub(crate) state: StateOptions,

    /// The MCP servers of the skills, for as long as commands may need them.
    #[arg(skip)]
    servers: Arc<OnceLock<ServerFile>>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Enclosure {
    /// bubblewrap where it works, else Landlock, else no command runs
    Auto,
    /// bubblewrap only
    Bubblewrap,
    /// Landlock only
    Landlock,
    /// Nothing: for containers that are a sandbox themselves
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum Reach {
    /// That of this machine
    Open,
    /// None
    Closed,
}

/// A file with the MCP servers of the skills, in a folder of its own that commands may read.
struct ServerFile {
    config: McpConfig,
    folder: TempDir,
}

/// Tools that need an option, and the option.
const NEEDS: &[(&str, &str)] = &[
    ("reply_attachment", "--user-files DIR"),
    ("web_search", SEARCH_OPTIONS),
    ("check_back_later", "--state PLACE"),
    ("cron", "--state PLACE"),
    ("recall", "--state PLACE"),
    ("get_page", "--state PLACE"),
    ("create_background_job", "--state PLACE"),
    ("list_background_jobs", "--state PLACE"),
    ("show_background_job_details", "--state PLACE"),
    ("send_message_to_background_job", "--state PLACE"),
    ("respawn_background_job", "--state PLACE"),
    ("stop_background_job", "--state PLACE"),
    ("workflow", "--state PLACE"),
    ("show_workflow", "--state PLACE"),
    ("list_workflows", "--state PLACE"),
    ("send_message_to_workflow_task", "--state PLACE"),
    ("cancel_workflow", "--state PLACE"),
    ("skill_view", "--skills DIR"),
];

/// How alike a name must be to be offered for another, from 0 to 1 (Jaro-Winkler).
const NEAR: f64 = 0.8;

impl TurnOptions {
    /// What the turn has.
    ///
    /// # Errors
    ///
    /// When a folder cannot be used.
    pub(crate) fn context(&self) -> Result<TurnContext, Failure> {
        self.steered(&Steering::new())
    }

    /// What a turn has whose user speaks through `steering`.
    ///
    /// # Errors
    ///
    /// As [`context`](Self::context).
    pub(crate) fn steered(&self, steering: &Steering) -> Result<TurnContext, Failure> {
        let turn = self.context_in(&self.workspace)?;
        let Some(space) = self.state.of_turn()? else { return Ok(turn) };
        let workflows = workflows_of(&self.state.workflows(&space)?);
        let turn = turn.jobs(jobs_of(&space).steering(steering.clone())).workflows(workflows);
        Ok(match self.state.turn_schedules()? {
            Some(schedules) => turn.schedules(schedules),
            None => turn,
        })
    }

    /// What a turn in this folder has, background jobs, schedules and workflows aside.
    ///
    /// # Errors
    ///
    /// When a folder cannot be used.
    pub(crate) fn context_in(&self, workspace: &Path) -> Result<TurnContext, Failure> {
        let skills = self.skills()?;
        let mut turn = TurnContext::new(TodoStore::new()).computer(self.computer(workspace)?).clarify();
        if let Some(web) = self.web.web()? {
            turn = turn.web(web);
        }
        if let Some(skills) = skills {
            turn = turn.skills(skills);
        }
        if let Some(memory) = self.state.memory()? {
            turn = turn.memory(memory);
        }
        Ok(turn)
    }

    fn computer(&self, workspace: &Path) -> Result<Computer, Failure> {
        let mut computer = Computer::builder(workspace).sandbox(match self.sandbox {
            Enclosure::Auto => SandboxChoice::Auto,
            Enclosure::Bubblewrap => SandboxChoice::Bubblewrap,
            Enclosure::Landlock => SandboxChoice::Landlock,
            Enclosure::None => SandboxChoice::None,
        });
        computer = computer.network(match self.network {
            Reach::Open => Network::Open,
            Reach::Closed => Network::Closed,
        });
        if let Some(home) = &self.home {
            computer = computer.home(home);
        }
        if let Some(user_files) = &self.user_files {
            computer = computer.user_files(user_files);
        }
        // One that is no folder was told as a problem of the skills.
        for root in self.skills.iter().filter(|root| root.is_dir()) {
            computer = computer.readable(root);
        }
        for variable in &self.env {
            let (name, value) = match variable.split_once('=') {
                Some((name, value)) => (name, value.to_owned()),
                None => (variable.as_str(), own_variable(variable)?),
            };
            computer = computer.env(name, value);
        }
        if let Some(servers) = self.servers.get() {
            let (name, path) = servers.config.variable();
            computer = computer.readable(servers.folder.path()).trusted_env(name, path);
        }
        Ok(computer.build().map_err(|error| error.to_string())?)
    }

    /// The tools that a task of a workflow has beside its own: those of the web and of the memory.
    ///
    /// # Errors
    ///
    /// As [`WebOptions::web`] and [`StateOptions::memory`].
    pub(crate) fn task_tools(&self) -> Result<Vec<WorkerAgentTool>, Failure> {
        let mut tools = self.web.web()?.as_ref().map(web_tools).unwrap_or_default();
        tools.extend(self.state.memory()?.as_ref().map(memory_tools).unwrap_or_default());
        Ok(tools)
    }

    /// The skills, with their MCP servers written for the commands.
    fn skills(&self) -> Result<Option<Skills>, Failure> {
        if self.skills.is_empty() {
            return Ok(None);
        }
        let skills = Skills::from_roots(&self.skills);
        for problem in skills.problems() {
            say!("worker-tools: {problem}");
        }
        if self.servers.get().is_none() {
            let servers = skills.mcp_servers().map_err(|error| error.to_string())?;
            let folder = tempfile::tempdir()?;
            let config = McpConfig::write(&servers, folder.path())?;
            // It was empty a moment ago.
            let _ = self.servers.set(ServerFile { config, folder });
        }
        Ok(Some(skills))
    }

    /// The tools of the turn, checked.
    ///
    /// # Errors
    ///
    /// When a folder cannot be used, or the tools cannot stand in one turn.
    pub(crate) fn tools(&self) -> Result<ToolSet, Failure> {
        let tools = main_turn_tools(&self.context()?);
        Ok(ToolSet::new(tools).map_err(|error| error.to_string())?)
    }
}

fn own_variable(name: &str) -> Result<String, Failure> {
    std::env::var(name).map_err(|_| {
        format!("there is no variable `{name}` with a text in the environment; set it, or give `--env {name}=VALUE`").into()
    })
}

/// The tool that a person calls `name`: its own name, behind its namespace and a point if it has one; the bare
/// name will do where only one tool has it.
///
/// # Errors
///
/// When there is none; offers the nearest names, and the option that a tool of that name needs.
pub(crate) fn named<'a>(set: &'a ToolSet, name: &str) -> Result<&'a WorkerAgentTool, Failure> {
    if let Some(tool) = set.tools().iter().find(|tool| tool.spec().display_name() == name) {
        return Ok(tool);
    }
    let mut bare = set.tools().iter().filter(|tool| tool.spec().name == name);
    if let (Some(tool), None) = (bare.next(), bare.next()) {
        return Ok(tool);
    }
    if let Some((_, option)) = NEEDS.iter().find(|(tool, _)| *tool == name) {
        return Err(format!("this turn has no `{name}`: it needs {}", quoted(option)).into());
    }
    let known: Vec<String> = set.tools().iter().map(|tool| tool.spec().display_name().into_owned()).collect();
    let near = known.iter().filter(|known| strsim::jaro_winkler(name, known) >= NEAR);
    let unknown =
        CallError::UnknownTool { name: name.to_owned(), nearest: near.cloned().collect(), known, more: 0 };
    Err(unknown.to_string().into())
}

/// Options in backticks, of which one is needed.
fn quoted(options: &str) -> String {
    options.split(" or ").map(|option| format!("`{option}`")).collect::<Vec<_>>().join(" or ")
}

/// The tools that the turn lacks, each with the option that it needs.
pub(crate) fn missing(set: &ToolSet) -> Vec<(&'static str, &'static str)> {
    NEEDS.iter().filter(|(tool, _)| set.get(None, tool).is_none()).copied().collect()
}
