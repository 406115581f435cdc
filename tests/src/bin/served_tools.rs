//! The server that peers which others wrote are tried on: the standard tools, tools for what those do not do, and the tools
//! that the conformance suite calls.
//!
//! `served_tools WORKSPACE` serves over standard input and output, `served_tools WORKSPACE ADDRESS` over HTTP.

use std::net::SocketAddr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tool_runtime::mcp::{HttpOptions, McpServer};
use tool_runtime::{
    CancellationToken, Content, File, Image, Json, Progress, ToolContext, ToolError, ToolOutput, ToolSpec,
    WorkerAgentTool, tools, worker_tool,
};
use tool_std::computer::Computer;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};

/// A red pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

/// The sum of numbers.
#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// Adds up.
#[worker_tool(read_only, parallel, open_world = false)]
async fn sum(
    #[param]
    #[schemars(length(min = 1))]
    numbers: Vec<i64>,
) -> Json<Sum> {
    Json(Sum { sum: numbers.iter().sum() })
}

/// Counts in steps of a tenth of a second, and leaves a file when it gets to the end.
#[worker_tool(parallel, destructive = false)]
async fn count(#[state] computer: Computer, #[param] to: u32, cx: ToolContext) -> Result<String, ToolError> {
    for step in 1..=to {
        tokio::select! {
            () = cx.cancellation().cancelled() => {
                std::fs::write(computer.workspace().join("stopped"), step.to_string())?;
                return Err(ToolError::new("stopped"));
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
        cx.progress(Progress::steps(step.into(), to.into()));
    }
    std::fs::write(computer.workspace().join("counted"), to.to_string())?;
    Ok(format!("counted to {to}"))
}

/// Gives a text.
#[worker_tool(read_only, parallel)]
async fn test_simple_text() -> String {
    "This is a text.".to_owned()
}

/// Gives an image.
#[worker_tool(read_only, parallel)]
async fn test_image_content() -> ToolOutput {
    ToolOutput::from_content(vec![Image::from_base64("image/png", PNG).into()])
}

/// Gives a sound.
#[worker_tool(read_only, parallel)]
async fn test_audio_content() -> ToolOutput {
    ToolOutput::from_content(vec![File::from_base64("silence.wav", "audio/wav", WAV).into()])
}

/// Gives a file.
#[worker_tool(read_only, parallel)]
async fn test_embedded_resource() -> ToolOutput {
    ToolOutput::from_content(vec![File::from_bytes("notes.txt", "text/plain", b"A file.").into()])
}

/// Gives a text, an image and a file.
#[worker_tool(read_only, parallel)]
async fn test_multiple_content_types() -> ToolOutput {
    ToolOutput::from_content(vec![
        Content::from("Several parts:"),
        Image::from_base64("image/png", PNG).into(),
        File::from_bytes("data.json", "application/json", br#"{"a":1}"#).into(),
    ])
}

/// Fails.
#[worker_tool(read_only, parallel)]
async fn test_error_handling() -> Result<String, ToolError> {
    Err(ToolError::new("it failed, as it was meant to"))
}

/// Tells how far it is.
#[worker_tool(read_only, parallel)]
async fn test_tool_with_progress(cx: ToolContext) -> String {
    for step in [0.0, 50.0, 100.0] {
        cx.progress(Progress::steps(step, 100.0));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "done".to_owned()
}

/// A tool with a raw schema, which has to arrive as it is.
fn json_schema_2020_12_tool() -> WorkerAgentTool {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false,
    });
    ToolSpec::new("json_schema_2020_12_tool", "Takes an address.")
        .read_only(true)
        .schema::<Value>(schema)
        .execute(|arguments, _| async move { arguments.to_string() })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let workspace = arguments.first().ok_or("which folder is the workspace?")?;
    let computer = Computer::builder(workspace).user_files(workspace).build()?;
    let server = McpServer::new("served-tools", "1.0.0", move |_| {
        tools![
            ..main_turn_tools(&TurnContext::new(TodoStore::new()).computer(computer.clone())),
            sum,
            count(computer.clone()),
            test_simple_text,
            test_image_content,
            test_audio_content,
            test_embedded_resource,
            test_multiple_content_types,
            test_error_handling,
            test_tool_with_progress,
            json_schema_2020_12_tool,
        ]
    })?;
    let stop = CancellationToken::new();
    match arguments.get(1) {
        None => server.serve_stdio(&stop).await?,
        Some(address) => {
            let listening = server.listen_http(HttpOptions::address(address.parse::<SocketAddr>()?)).await?;
            println!("{}", listening.url());
            listening.run(&stop).await?;
        }
    }
    Ok(())
}
