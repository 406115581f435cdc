//! `worker-tools call`: one call, as a model would make it.

use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use clap::Args;
use serde_json::value::RawValue;
use tool_runtime::{
    ArgumentDecoder, CallError, CallInput, CancellationToken, DispatchOptions, Effect, Events, Input,
    ToolCall, ToolErrorKind, ToolResult, ToolSet, WorkerAgentTool, dispatch, event_channel,
};

use crate::attend::{attend, block_on};
use crate::failure::{CANNOT_RUN, Failure};
use crate::paper;
use crate::person::{is_attended, is_yes};
use crate::screen::Screen;
use crate::turn_options::{TurnOptions, named};

const EXAMPLES: &str = r#"Examples:
  worker-tools call todo '{"todos": [{"id": "a", "content": "read the issue"}]}'
  echo '{"path": "README.md"}' | worker-tools call read_file -
  worker-tools call command '{"command": "make test"}' --yes --details | jq .

Exit codes:
  0    the tool gave its result
  1    the arguments were refused
  2    the command itself could not run, because no tool has this name for example
  3    the tool failed
  4    the call was not allowed
  130  the call was cancelled by Ctrl-C"#;

const REFUSED: u8 = 1;
pub(crate) const FAILED: u8 = 3;
const NOT_ALLOWED: u8 = 4;
pub(crate) const CANCELLED: u8 = 130;

/// Call one tool and print what the model would read
///
/// Arguments are repaired and checked as in a turn. What the tool does is shown on standard error while it runs. The result
/// goes to standard output, an error that the model would read to standard error.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Call {
    /// The tool, as `worker-tools list` names it
    #[arg(value_name = "NAME")]
    name: String,

    /// The arguments as JSON, or the text of a free-text tool; `-` reads them from standard input [default: {}]
    #[arg(value_name = "ARGUMENTS", allow_hyphen_values = true)]
    input: Option<String>,

    /// Print the details that the host gets, as JSON, in place of what the model reads
    #[arg(long)]
    details: bool,

    /// Do not ask before a tool that may destroy something
    #[arg(long, short)]
    yes: bool,
}

impl Call {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        block_on(self.run_on(&turn.tools()?))?
    }

    /// Makes the call with these tools.
    pub(crate) async fn run_on(self, set: &ToolSet) -> Result<ExitCode, Failure> {
        let tool = named(set, &self.name)?;
        let call = self.call(tool)?;
        if let Err(refusal) = self.allowed(tool, &call)? {
            say!("worker-tools: {refusal}");
            return Ok(ExitCode::from(exit_code(&refusal)));
        }
        let result = dispatched(set, call).await?;
        self.print(&result)?;
        Ok(ExitCode::from(result.outcome.as_ref().map_or_else(exit_code, |_| 0)))
    }

    /// The call as a model would make it.
    fn call(&self, tool: &WorkerAgentTool) -> Result<ToolCall, Failure> {
        let spec = tool.spec();
        let text = match (self.input.as_deref(), &spec.input) {
            (Some("-"), _) => {
                let mut text = String::new();
                io::stdin().read_to_string(&mut text)?;
                text
            }
            (Some(text), _) => text.to_owned(),
            (None, Input::Json) => "{}".to_owned(),
            (None, _) => {
                let name = spec.display_name();
                return Err(format!(
                    "`{name}` takes free text: give it behind the name, or `-` and the text on standard input"
                )
                .into());
            }
        };
        // Tools keep files under the id of a call, so each has its own.
        let mut call = ToolCall::new(format!("call_{}", std::process::id()), &*spec.name, "");
        call.namespace = spec.namespace.as_ref().map(|namespace| namespace.name.to_string());
        call.input = match spec.input {
            Input::Json => CallInput::Json(text),
            _ => CallInput::Text(text),
        };
        Ok(call)
    }

    /// Whether the call may start. A person is asked only about a call that can.
    fn allowed(&self, tool: &WorkerAgentTool, call: &ToolCall) -> Result<Result<(), CallError>, Failure> {
        let spec = tool.spec();
        if self.yes || !spec.is_destructive() {
            return Ok(Ok(()));
        }
        let name = spec.display_name().into_owned();
        if let CallInput::Json(arguments) = &call.input {
            let decoder = ArgumentDecoder::new(tool.definition().parameters().as_value());
            // Parameters that are no schema were refused with the turn.
            if let Some(Err(error)) =
                decoder.ok().map(|decoder| decoder.decode(arguments, Effect::Writes).map(|_| ()))
            {
                return Ok(Err(CallError::Arguments { name, error }));
            }
        }
        if !is_attended() {
            let reason =
                "it may destroy something, and nobody is at the terminal to be asked; `--yes` allows it";
            return Ok(Err(CallError::Denied { name, reason: reason.to_owned() }));
        }
        eprint!(
            "`{name}` may destroy something. It would get\n  {}\nRun it? [y/N] ",
            paper::for_stderr(call.input.as_str())
        );
        io::stderr().flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        Ok(if is_yes(&answer) {
            Ok(())
        } else {
            Err(CallError::Denied { name, reason: "you did not say yes".to_owned() })
        })
    }

    fn print(&self, result: &ToolResult) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        match &result.outcome {
            Err(_) => say!("{}", paper::for_stderr(&result.model_text())),
            // The text itself, so that every digit is kept.
            Ok(output) if self.details => {
                writeln!(out, "{}", output.details().map_or("null", RawValue::get))?
            }
            Ok(output) => writeln!(out, "{}", paper::for_stdout(output.model_text().trim_end_matches('\n')))?,
        }
        Ok(())
    }
}

async fn dispatched(set: &ToolSet, call: ToolCall) -> Result<ToolResult, Failure> {
    let (sender, events) = event_channel(10_000);
    let (cancel, mut screen) = (CancellationToken::new(), Screen::new());
    let (options, events_of_call) = (DispatchOptions::new(), Events::to(sender));
    let work = dispatch(set, vec![call], &options, &events_of_call, &cancel);
    let mut results = attend(work, events, None, &mut screen, &cancel).await?;
    results.pop().ok_or_else(|| "the call was not answered".to_owned().into())
}

/// The exit code that says why there is no result.
fn exit_code(error: &CallError) -> u8 {
    match error {
        CallError::Arguments { .. } => REFUSED,
        CallError::Tool(error) if error.kind() == ToolErrorKind::InvalidArguments => REFUSED,
        CallError::Denied { .. } => NOT_ALLOWED,
        CallError::Cancelled(_) => CANCELLED,
        CallError::UnknownTool { .. } | CallError::NotLoaded { .. } | CallError::CallerNotAllowed { .. } => {
            CANNOT_RUN
        }
        _ => FAILED,
    }
}
