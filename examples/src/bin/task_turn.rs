//! A task: a turn with a fixed catalog that is done when `submit_result` has taken a value that fits the task's own schema.
//!
//! `cargo run -p examples --bin task_turn`

use std::error::Error;
use std::path::Path;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tool_runtime::provider::RecordedModel;
use tool_runtime::{
    Agent, CancellationToken, Correction, Ending, Outcome, ToolChoice, ToolError, ToolName, ToolOutput,
    ToolSet, ToolSpec, WorkerAgentTool, tools, worker_tool,
};

const SUBMIT: &str = "submit_result";

/// What a task wants to know, as its author wrote it down.
fn result_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1},
            "names": {"type": "array", "items": {"type": "string"}, "minItems": 1}
        },
        "required": ["count", "names"],
        "additionalProperties": false
    })
}

/// The task's own ending: its schema goes to the provider as it is, and the provider is asked to enforce it.
fn submit_result(schema: &Value) -> WorkerAgentTool {
    let parameters = json!({
        "type": "object",
        "properties": {"result": schema},
        "required": ["result"],
        "additionalProperties": false
    });
    ToolSpec::new(SUBMIT, "Submits the result of the task, and ends it.")
        .strict(true)
        .destructive(false)
        // A raw value keeps every digit that the model wrote.
        .schema::<Box<RawValue>>(parameters)
        .execute(|submitted, _| async move {
            Ok::<_, ToolError>(
                ToolOutput::text("The result is accepted.").with_details(submitted).ends_turn(),
            )
        })
}

/// Looks something up in what the agent remembers.
#[worker_tool(read_only, parallel, activity = "Recalling {query}")]
async fn recall(
    /// What to look for.
    #[param]
    query: String,
) -> String {
    format!("{query}: tool-macros, tool-runtime, tool-std, examples, tests")
}

/// Runs the task. A value that does not fit is answered with what is wrong and the turn goes on; prose gets one instruction.
async fn run(model: RecordedModel, schema: &Value) -> Result<Outcome, Box<dyn Error>> {
    let tools = tools![recall, submit_result(schema)];
    let agent = Agent::new(model, tools)?.iteration_limit(10).check_answer(|_| {
        let correction =
            Correction::new(format!("The task ends by a call of `{SUBMIT}` and not by text. Call it."));
        Some(correction.offer([ToolName::bare(SUBMIT)]).tool_choice(ToolChoice::Required))
    });
    Ok(agent.run("Which members does the workspace have?", &CancellationToken::new()).await?)
}

/// The submitted value, checked once more against the schema that the host keeps: what a provider or an agent let through is
/// no proof. Only then it is committed.
async fn commit(outcome: &Outcome, kept_schema: &Value) -> Result<String, String> {
    let Ending::EndedByTool(call) = &outcome.ending else {
        return Err(format!("the task failed: {}", outcome.ending.kind()));
    };
    let submitted = outcome.results.iter().find(|result| result.call.id == call.call_id);
    let details = submitted.and_then(|result| result.outcome.as_ref().ok()?.details());
    let details = details.ok_or("the task failed: nothing was submitted")?;
    let set = ToolSet::new(vec![submit_result(kept_schema)]).map_err(|error| error.to_string())?;
    set.call(SUBMIT, details.get()).await.map_err(|error| format!("the task failed: {error}"))?;
    Ok(details.get().to_owned())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings/task_turn.jsonl");
    let schema = result_schema();
    let outcome = run(RecordedModel::from_file(recording)?, &schema).await?;
    println!("Calls");
    for result in &outcome.results {
        let told = result.model_text().replace('\n', "\n    ");
        println!("  {} {}: {told}", result.call.id, result.call.display_name());
    }
    println!("\nThe task after {} responses", outcome.iterations);
    println!("  committed: {}", commit(&outcome, &schema).await?);
    Ok(())
}
