//! A turn from its input to its end, with a model that plays a script. Tests named `d_NN` are reported faults of other
//! software; the rest are the endings and promises of the loop.

mod answers;
mod approval;
mod cases;
mod endings;
mod history;
mod journal;
mod kill;
mod models;
mod observers;
mod properties;
mod task;

use serde_json::{Value, json};
use tests::script::ScriptedModel;
use tool_runtime::{
    Agent, CancellationToken, ExecutionMode, IntoToolOutput, Outcome, ToolContext, ToolError, ToolOutput,
    ToolSpec, WorkerAgentTool,
};

fn any_object() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": true})
}

/// A parallel, read-only tool that does `work`.
fn reads<W, O>(
    name: &'static str,
    work: impl Fn(Value, ToolContext) -> W + Send + Sync + 'static,
) -> WorkerAgentTool
where
    W: Future<Output = O> + Send + 'static,
    O: IntoToolOutput + 'static,
{
    let spec =
        ToolSpec::new(name, "Reads something.").execution_mode(ExecutionMode::Parallel).read_only(true);
    spec.schema::<Value>(any_object()).execute(work)
}

/// A sequential, destructive tool that does `work`.
fn writes<W, O>(
    name: &'static str,
    work: impl Fn(Value, ToolContext) -> W + Send + Sync + 'static,
) -> WorkerAgentTool
where
    W: Future<Output = O> + Send + 'static,
    O: IntoToolOutput + 'static,
{
    ToolSpec::new(name, "Changes something.").schema::<Value>(any_object()).execute(work)
}

/// Gives back its argument `text`, or `ok`.
fn echo(name: &'static str) -> WorkerAgentTool {
    reads(name, |arguments, _| async move { arguments["text"].as_str().unwrap_or("ok").to_owned() })
}

/// Fails with its argument `why`, or `broken`.
fn fails(name: &'static str) -> WorkerAgentTool {
    reads(name, |arguments, _| async move {
        Err::<String, _>(ToolError::new(arguments["why"].as_str().unwrap_or("broken")))
    })
}

/// Ends the turn.
fn finish() -> WorkerAgentTool {
    writes("finish", |_, _| async { ToolOutput::text("finished").ends_turn() })
}

fn agent(model: &ScriptedModel, tools: Vec<WorkerAgentTool>) -> Agent {
    Agent::new(model.clone(), tools).unwrap()
}

async fn run(agent: Agent) -> Outcome {
    agent.run("go", &CancellationToken::new()).await.unwrap()
}
