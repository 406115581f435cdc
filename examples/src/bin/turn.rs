//! One turn on a recorded answer of a model: which tools it had, what each call did, and what goes back.
//!
//! `cargo run -p examples --bin turn`, or with `-- --recording FILE` for another answer (JSON Lines, one response of the
//! OpenAI Responses format a line).

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::provider::{RecordedModel, responses};
use tool_runtime::{
    ActivityPhase, Agent, CancellationToken, Ending, Event, EventKind, ExecutionMode, Outcome, Repair,
    ToolError, ToolErrorKind, ToolOutput, ToolResult, ToolSpec, WorkerAgentTool,
};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadFile {
    /// Text file to read, relative to the root of the repository.
    #[schemars(length(min = 1))]
    path: String,
    /// First line, counted from 1.
    #[schemars(range(min = 1))]
    offset: Option<usize>,
    /// How many lines.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

fn read_file(root: PathBuf) -> WorkerAgentTool {
    ToolSpec::new("read_file", "Reads lines of a text file of the repository.")
        .read_only(true)
        .execution_mode(ExecutionMode::Parallel)
        .parameters::<ReadFile>()
        .activity(|params| format!("Reading {}", params.path))
        .execute(move |params, context| {
            let root = root.clone();
            async move { context.run_blocking(move || read_lines(&root, &params)).await? }
        })
}

fn read_lines(root: &Path, params: &ReadFile) -> Result<String, ToolError> {
    let denied = || {
        ToolError::new(format!("`{}` is outside the repository", params.path))
            .with_kind(ToolErrorKind::Denied)
    };
    let path = root.join(&params.path).canonicalize()?;
    if !path.starts_with(root.canonicalize()?) {
        return Err(denied());
    }
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().skip(params.offset.unwrap_or(1).saturating_sub(1));
    Ok(lines.take(params.limit.unwrap_or(100)).collect::<Vec<_>>().join("\n"))
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WriteNote {
    /// Name of the file: letters, digits, `-`, `_` and `.`.
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"))]
    name: String,
    /// What it shall hold.
    text: String,
}

fn write_note(folder: PathBuf) -> WorkerAgentTool {
    ToolSpec::new("write_note", "Writes a file into the turn's own folder.")
        .destructive(false)
        .parameters::<WriteNote>()
        .activity(|params| format!("Writing {}", params.name))
        .execute(move |params, context| {
            let path = folder.join(&params.name);
            async move {
                let bytes = params.text.len();
                context.run_blocking(move || std::fs::write(path, params.text)).await??;
                Ok::<_, ToolError>(format!("wrote {bytes} bytes"))
            }
        })
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Finish {
    /// What was done, in one sentence.
    summary: String,
}

fn finish() -> WorkerAgentTool {
    ToolSpec::new("finish", "Ends the turn with a summary.")
        .destructive(false)
        .parameters::<Finish>()
        .activity(|_| "Finishing".to_owned())
        .execute(|params, _| async move { ToolOutput::text(params.summary).ends_turn() })
}

/// What an observer saw of each call, by its id.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<HashMap<String, CallRow>>>);

#[derive(Clone, Default)]
struct CallRow {
    activity: Option<String>,
    repairs: Vec<Repair>,
}

impl Seen {
    fn observe(&self, event: &Event) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &event.kind {
            EventKind::Activity { call_id, label, phase, .. } if *phase != ActivityPhase::Failed => {
                rows.entry(call_id.clone()).or_default().activity = Some(label.clone());
            }
            EventKind::Repaired { call_id, repairs } => {
                rows.entry(call_id.clone()).or_default().repairs.clone_from(repairs);
            }
            _ => {}
        }
    }

    fn of(&self, call_id: &str) -> CallRow {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(call_id).cloned().unwrap_or_default()
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match turn().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn turn() -> Result<(), Box<dyn Error>> {
    let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recording = recording(std::env::args().skip(1))?
        .unwrap_or_else(|| own_folder.join("recordings").join("turn.jsonl"));
    let model = Arc::new(RecordedModel::from_file(recording)?);
    let notes = tempfile::tempdir()?;

    let tools = vec![read_file(own_folder.join("..")), write_note(notes.path().to_owned()), finish()];
    let seen = Seen::default();
    let observer = seen.clone();
    let agent = Agent::new(Arc::clone(&model), tools)?.observer(move |event: &Event| observer.observe(event));
    print_tools(&agent);
    let outcome = agent.run("What is in this workspace? Write it down.", &CancellationToken::new()).await?;

    print_calls(&outcome, &seen);
    print_ending(&outcome);
    print_answer(&outcome)?;
    Ok(())
}

/// The file named by `--recording`.
fn recording(mut arguments: impl Iterator<Item = String>) -> Result<Option<PathBuf>, String> {
    let usage = "usage: turn [--recording FILE]";
    let file = match arguments.next().as_deref() {
        None => None,
        Some("--recording") => {
            Some(arguments.next().ok_or_else(|| format!("`--recording` needs a file; {usage}"))?)
        }
        Some(other) => return Err(format!("unknown argument `{other}`; {usage}")),
    };
    match arguments.next() {
        None => Ok(file.map(PathBuf::from)),
        Some(extra) => Err(format!("unknown argument `{extra}`; {usage}")),
    }
}

fn print_tools(agent: &Agent) {
    println!("Tools of the turn");
    for tool in agent.tools().tools() {
        let spec = tool.spec();
        let effect = match (spec.read_only, spec.is_destructive()) {
            (true, _) => "reads",
            (false, true) => "may destroy",
            (false, false) => "writes",
        };
        let mode = match spec.execution_mode {
            ExecutionMode::Parallel => "parallel",
            ExecutionMode::Sequential => "sequential",
        };
        println!("  {:<12} {effect}, {mode}: {}", spec.display_name(), spec.description);
    }
}

fn print_calls(outcome: &Outcome, seen: &Seen) {
    println!("\nCalls");
    for result in &outcome.results {
        let row = seen.of(&result.call.id);
        let activity = row.activity.as_deref().unwrap_or("did not start");
        println!("  {} {}: {activity}", result.call.id, result.call.display_name());
        for repair in &row.repairs {
            println!("      repaired: {}", repair.name);
        }
        println!("      {}:{}", verdict(result), indented(&result.model_text()));
    }
}

fn verdict(result: &ToolResult) -> &'static str {
    match (result.is_error(), result.ends_turn()) {
        (true, _) => "failed",
        (false, true) => "ended the turn",
        (false, false) => "done",
    }
}

/// A text behind a colon; one of several lines begins on a line of its own.
fn indented(text: &str) -> String {
    if !text.contains('\n') {
        return format!(" {text}");
    }
    text.lines().map(|line| format!("\n        | {line}")).collect()
}

fn print_ending(outcome: &Outcome) {
    let ending = match &outcome.ending {
        Ending::Finished => "the model was done".to_owned(),
        Ending::EndedByTool(call) => format!("`{}` ({}) ended the turn", call.tool, call.call_id),
        Ending::IterationLimit { limit } => format!("the limit of {limit} rounds was reached"),
        Ending::Cut(reason) => format!("a response was cut off ({reason:?})"),
        Ending::Cancelled(_) => "the turn was cancelled".to_owned(),
        Ending::ModelFailed(error) => format!("the model failed: {error}"),
        other => format!("{other:?}"),
    };
    println!("\nEnding\n  {ending}, after {} response(s)", outcome.iterations);
    if !outcome.text.is_empty() {
        println!("  last words: {}", outcome.text);
    }
}

/// The results as the provider gets them.
fn print_answer(outcome: &Outcome) -> Result<(), Box<dyn Error>> {
    let is_output = |item: &serde_json::Value| {
        item.get("type").and_then(|kind| kind.as_str()).is_some_and(|kind| kind.ends_with("_call_output"))
    };
    let input = responses::encode_input(&outcome.items);
    let outputs: Vec<_> = input.into_iter().filter(is_output).collect();
    println!("\nWhat goes back to the provider");
    println!("{}", serde_json::to_string_pretty(&outputs)?);
    Ok(())
}
