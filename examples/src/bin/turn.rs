//! One turn on a recorded answer of a model: which tools it had, what each call did, and what goes back.
//!
//! `cargo run -p examples --bin turn`, or with `-- --recording FILE` for another answer (JSON Lines, one response of the
//! OpenAI Responses format a line).

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::provider::{RecordedModel, responses};
use tool_runtime::{
    ActivityPhase, Agent, CancellationToken, Ending, EventKind, EventReceiver, ExecutionMode, Outcome,
    Repair, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolParams, ToolResult, event_channel, tools,
    worker_tool,
};

#[derive(Deserialize, JsonSchema, ToolParams)]
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

/// Reads lines of a text file of the repository.
#[worker_tool(read_only, parallel, activity = "Reading {path}")]
async fn read_file(#[state] root: PathBuf, params: ReadFile, cx: ToolContext) -> Result<String, ToolError> {
    cx.run_blocking(move || read_lines(&root, &params)).await?
}

fn read_lines(root: &Path, params: &ReadFile) -> Result<String, ToolError> {
    let path = root.join(&params.path).canonicalize()?;
    if !path.starts_with(root.canonicalize()?) {
        let message = format!("`{}` is outside the repository", params.path);
        return Err(ToolError::new(message).with_kind(ToolErrorKind::Denied));
    }
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().skip(params.offset.unwrap_or(1).saturating_sub(1));
    Ok(lines.take(params.limit.unwrap_or(100)).collect::<Vec<_>>().join("\n"))
}

/// Writes a file into the turn's own folder.
#[worker_tool(destructive = false, activity = "Writing {name}", completed_activity = "Wrote {name}")]
async fn write_note(
    #[state] folder: PathBuf,
    /// Name of the file: letters, digits, `-`, `_` and `.`.
    #[param]
    #[schemars(regex(pattern = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"))]
    name: String,
    /// What it shall hold.
    #[param]
    text: String,
    cx: ToolContext,
) -> Result<String, ToolError> {
    let bytes = text.len();
    cx.run_blocking(move || std::fs::write(folder.join(name), text)).await??;
    Ok(format!("wrote {bytes} bytes"))
}

/// Ends the turn with a summary.
#[worker_tool(destructive = false)]
async fn finish(
    /// What was done, in one sentence.
    #[param]
    summary: String,
) -> ToolOutput {
    ToolOutput::text(summary).ends_turn()
}

/// What the events of a turn told about one call.
#[derive(Default)]
struct CallRow {
    activity: Option<String>,
    repairs: Vec<Repair>,
}

/// What they told about each, by its id.
fn rows(mut events: EventReceiver) -> HashMap<String, CallRow> {
    let mut rows: HashMap<String, CallRow> = HashMap::new();
    while let Some(event) = events.try_next() {
        match event.kind {
            EventKind::Activity { call_id, label, phase, .. } if phase != ActivityPhase::Failed => {
                rows.entry(call_id).or_default().activity = Some(label);
            }
            EventKind::Repaired { call_id, repairs } => rows.entry(call_id).or_default().repairs = repairs,
            _ => {}
        }
    }
    rows
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
    let model = RecordedModel::from_file(recording)?;
    let notes = tempfile::tempdir()?;

    let tools = tools![read_file(own_folder.join("..")), write_note(notes.path().to_owned()), finish];
    let (sender, events) = event_channel(10_000);
    let agent = Agent::new(model, tools)?.events(sender);
    print_tools(&agent);
    let outcome = agent.run("What is in this workspace? Write it down.", &CancellationToken::new()).await?;

    print_calls(&outcome, &rows(events));
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

fn print_calls(outcome: &Outcome, rows: &HashMap<String, CallRow>) {
    println!("\nCalls");
    for result in &outcome.results {
        let row = rows.get(&result.call.id);
        let activity = row.and_then(|row| row.activity.as_deref()).unwrap_or("did not start");
        println!("  {} {}: {activity}", result.call.id, result.call.display_name());
        for repair in row.into_iter().flat_map(|row| &row.repairs) {
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
