//! One shell command, run to its end.

mod activity;
mod capture;
mod clean;
mod environment;
mod group;
mod launch;
mod limit;
mod log;
mod mark;
mod members;
mod notes;
mod process;
mod result;
mod settings;
mod temporary;
mod words;

pub use limit::ProcessLimit;
pub use result::{CommandDetails, CommandSandbox};
pub(super) use settings::Settings;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolParams, worker_tool};

use super::{Computer, PathErrorKind};
use activity::activity;
use capture::Capture;
use environment::{Environment, EnvironmentError, Layers};
use log::LogFolder;
use process::{Failure, Order};
use temporary::TemporaryFolder;

/// The longest text that Linux takes as one argument of a program, in bytes, less what is put before a command.
const MAX_COMMAND: usize = 120 * 1024;

/// What the model asks to be run.
#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(deny_unknown_fields)]
pub struct CommandParams {
    /// The command, in the language of bash. It may have several lines.
    #[schemars(length(min = 1))]
    command: String,
    /// Folder in which it starts: absolute, `~`, or relative to the workspace. Left out, the workspace.
    workdir: Option<String>,
    /// The longest it may take, in seconds.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 1))]
    timeout: u64,
    /// Variables to set in its environment.
    #[serde(default)]
    env: BTreeMap<String, String>,
}

fn default_timeout() -> u64 {
    180
}

/// Runs one shell command (bash, as a login shell) to its end and gives its exit code and its output, standard output and
/// errors as they came.
///
/// Each call starts afresh: no folder, variable or process is left from an earlier one, and what is still running when the
/// shell ends is stopped. Nothing can be typed in. Reading, searching and changing files has tools of its own; use them for
/// that. Long output is shown by its beginning and end, with the name of the file that has all of it.
#[worker_tool(activity = activity, max_output = 210_000)]
pub async fn command(
    #[state] computer: Computer,
    params: CommandParams,
    context: ToolContext,
) -> Result<ToolOutput<CommandDetails>, ToolError> {
    let workdir = workdir(&computer, params.workdir.as_deref())?;
    if params.command.contains('\0') {
        return Err(invalid("`command` holds a NUL character, which no command can".to_owned()));
    }
    if params.command.len() > MAX_COMMAND {
        return Err(invalid(format!(
            "`command` is {} bytes long; the most is {MAX_COMMAND}: write a script to a file and run that",
            params.command.len()
        )));
    }
    let timeout = Duration::from_secs(params.timeout);
    let capture = Capture::new(LogFolder::new(&computer, context.call_id()));
    let (text, variables) = (params.command.clone(), params.env);
    let order = move || order(&computer, &text, &variables, workdir, timeout, capture);
    let ended = process::run(order, context.cancellation()).await.map_err(tool_error)?;
    let (text, details) = result::render(&params.command, timeout, ended);
    Ok(ToolOutput::text(text).with_details(details))
}

/// All that a command is started with. Blocks the thread when the sandbox is tried out, the first time.
fn order(
    computer: &Computer,
    command: &str,
    variables: &BTreeMap<String, String>,
    workdir: PathBuf,
    timeout: Duration,
    capture: Capture,
) -> Result<Order, Failure> {
    let settings = &computer.inner.commands;
    let sandbox = settings.sandbox().map_err(|error| Failure::NoSandbox(error.to_string()))?;
    let temporary = match sandbox.needs_temporary_folder() {
        true => Some(TemporaryFolder::make().map_err(Failure::Start)?),
        false => None,
    };
    let temporary_path = temporary.as_ref().map(|folder| folder.path().to_path_buf());
    let within = computer.confinement(workdir, temporary_path);
    within.check(sandbox.as_ref()).map_err(|error| Failure::NoSandbox(error.to_string()))?;
    let layers = Layers {
        operator: &settings.operator,
        call: variables,
        trusted: &settings.trusted,
        home: computer.home(),
        workspace: computer.workspace(),
        temporary: within.temporary.as_deref(),
    };
    let environment = Environment::of(&layers).map_err(Failure::Environment)?;
    Ok(Order {
        prologue: launch::prologue(command, &environment),
        sandbox,
        within,
        temporary,
        capture,
        timeout,
        grace: settings.grace,
        processes: settings.processes,
    })
}

/// The folder in which a command starts.
fn workdir(computer: &Computer, given: Option<&str>) -> Result<PathBuf, ToolError> {
    let Some(given) = given else { return Ok(computer.workspace().to_path_buf()) };
    let place = computer.places().to_read(given, computer.workspace());
    let opened = place.and_then(|place| place.open_folder().map(|_| place.path()));
    opened.map_err(|error| {
        let kind = match error.kind() {
            PathErrorKind::NotFound => ToolErrorKind::NotFound,
            PathErrorKind::Outside | PathErrorKind::Refused => ToolErrorKind::Denied,
            PathErrorKind::WrongType => ToolErrorKind::InvalidArguments,
        };
        ToolError::new(format!("`workdir`: {error}")).with_kind(kind)
    })
}

fn tool_error(failure: Failure) -> ToolError {
    let unavailable = |message| ToolError::new(message).with_kind(ToolErrorKind::Unavailable);
    match failure {
        Failure::Cancelled => ToolError::new("the command was stopped, since the call was cancelled"),
        Failure::NoSandbox(message) => unavailable(message),
        Failure::Sandbox(words) if words.is_empty() => {
            unavailable("the sandbox ended before the command began, without a word".to_owned())
        }
        Failure::Sandbox(words) => {
            unavailable(format!("the sandbox ended before the command began: {words}"))
        }
        Failure::Start(error) if error.kind() == io::ErrorKind::NotFound => {
            unavailable("the command could not be started, since there is no shell `/bin/sh` here".to_owned())
        }
        Failure::Start(error) => unavailable(format!("the command could not be started: {error}")),
        Failure::Environment(EnvironmentError::Call(fault)) => invalid(fault),
        Failure::Environment(EnvironmentError::Host(fault)) => {
            unavailable(format!("commands cannot run, since they are set up wrongly: {fault}"))
        }
    }
}

fn invalid(message: String) -> ToolError {
    ToolError::new(message).with_kind(ToolErrorKind::InvalidArguments)
}
