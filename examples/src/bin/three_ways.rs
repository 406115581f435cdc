//! One set of tools, used three ways: in a loop, as a server, and taken in from that server again. All give the same results.
//!
//! The program starts itself as the server: `cargo run -p examples --features mcp --bin three_ways`.

use serde_json::json;
use tool_runtime::mcp::{McpClient, McpServer};
use tool_runtime::provider::RecordedModel;
use tool_runtime::{
    Agent, CancellationToken, Json, ToolContext, ToolError, ToolSet, WorkerAgentTool, tools, worker_tool,
};

/// Splits a text into words.
#[worker_tool(read_only, parallel, open_world = false)]
async fn words(
    /// What to split; not empty.
    #[param]
    #[schemars(length(min = 1))]
    text: String,
) -> Json<Vec<String>> {
    Json(text.split_whitespace().map(str::to_owned).collect())
}

/// Divides whole numbers.
#[worker_tool(read_only, parallel, open_world = false)]
async fn divide(#[param] a: i64, #[param] b: i64, _cx: ToolContext) -> Result<String, ToolError> {
    match a.checked_div(b) {
        Some(quotient) => Ok(quotient.to_string()),
        None => Err(ToolError::new(format!("{a} cannot be divided by {b}"))),
    }
}

fn our_tools() -> Vec<WorkerAgentTool> {
    tools![words, divide]
}

/// A call that works, one that the tool refuses, one that does not fit.
const CALLS: [(&str, &str); 3] =
    [("words", r#"{"text":"to be or not"}"#), ("divide", r#"{"a":7,"b":0}"#), ("words", r#"{"text":""}"#)];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        let server = McpServer::new("three-ways", env!("CARGO_PKG_VERSION"), |_| our_tools())?;
        return Ok(server.serve_stdio(&CancellationToken::new()).await?);
    }

    let calls: Vec<_> = (1..)
        .zip(CALLS)
        .map(|(n, (name, arguments))| {
            json!({"type": "function_call", "call_id": format!("c{n}"), "name": name, "arguments": arguments})
        })
        .collect();
    let answers = format!(
        "{}\n{}",
        json!({"status": "completed", "output": calls}),
        json!({"status": "completed", "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
        ]})
    );
    let agent = Agent::new(RecordedModel::from_text(&answers)?, our_tools())?;
    let outcome = agent.run("Try the tools.", &CancellationToken::new()).await?;
    let in_the_loop: Vec<String> = outcome.results.iter().map(|result| result.model_text()).collect();

    let this_program = std::env::current_exe()?;
    let served =
        McpClient::command("three-ways", this_program.to_string_lossy(), ["serve"]).connect().await?;
    let imported = ToolSet::new(served.tools())?;
    let mut taken_in = Vec::new();
    for (name, arguments) in CALLS {
        let result = imported.call(&format!("three-ways.{name}"), arguments).await;
        taken_in.push(result.map_or_else(|error| format!("error: {error}"), |output| output.model_text()));
    }
    served.close().await;

    for (here, there) in in_the_loop.iter().zip(&taken_in) {
        println!("in the loop: {here}\ntaken in:    {there}\n");
    }
    Ok(())
}
