//! A raw schema: JSON Schema that comes from elsewhere is sent as it is, and enforced.
//!
//! `cargo run -p examples --bin raw_schema`

use std::error::Error;

use examples::print_result;
use serde_json::{Value, json};
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{
    CancellationToken, DispatchOptions, Events, ToolCall, ToolError, ToolOutput, ToolSet, ToolSpec,
    WorkerAgentTool, dispatch, tools, worker_tool,
};

/// Sets the volume.
// A literal is checked when the program is compiled: JSON, no key twice, an object at the root.
#[worker_tool(
    idempotent,
    destructive = false,
    schema = r#"{
        "type": "object",
        "properties": {"level": {"type": "integer", "minimum": 0, "maximum": 100, "multipleOf": 5}},
        "required": ["level"],
        "additionalProperties": false
    }"#
)]
async fn set_volume(arguments: Value) -> String {
    format!("the volume is {}", arguments["level"])
}

/// A tool whose schema is known only when the program runs: a workflow hands it over.
fn submit_result(result_schema: Value) -> WorkerAgentTool {
    let schema = json!({
        "type": "object",
        "properties": {"result": result_schema},
        "required": ["result"],
        "additionalProperties": false
    });
    ToolSpec::new("submit_result", "Submits the result of the task and ends the turn.")
        .strict(true)
        .schema::<Value>(schema)
        .activity(|_| "Submitting".to_owned())
        .execute(|arguments, _context| async move {
            Ok::<_, ToolError>(ToolOutput::text("accepted").with_details(arguments).ends_turn())
        })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let task = json!({
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 1},
            "stars": {"type": "integer", "minimum": 1, "maximum": 5}
        },
        "required": ["title", "stars"],
        "additionalProperties": false
    });
    let set = ToolSet::new(tools![set_volume, submit_result(task)])?;

    println!("What the provider gets");
    let entries: Value = serde_json::from_str(&encode_tools(&set))?;
    println!("{entries:#}");

    println!("\nWhat the model reads for its calls");
    let calls = vec![
        ToolCall::new("call_1", "set_volume", r#"{"level": 40}"#),
        ToolCall::new("call_2", "set_volume", r#"{"level": 101}"#),
        ToolCall::new("call_3", "submit_result", r#"{"result": {"title": "", "stars": 6}}"#),
        ToolCall::new("call_4", "submit_result", r#"{"result": {"title": "Dune", "stars": 5}}"#),
    ];
    let options = DispatchOptions::new();
    let results = dispatch(&set, calls, &options, &Events::none(), &CancellationToken::new()).await;
    for result in &results {
        print_result(result);
        if result.ends_turn() {
            println!("    the turn has ended");
        }
    }

    println!("\nA schema that cannot be used is an error of the set, with the place in it");
    let broken = json!({"type": "object", "properties": {"title": {"type": "text"}}});
    if let Err(error) = ToolSet::new(vec![submit_result(broken)]) {
        println!("  {}", error.to_string().replace('\n', "\n  "));
    }
    Ok(())
}
