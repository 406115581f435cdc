use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolContext, ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    range: Range,
}

#[derive(Deserialize, JsonSchema)]
struct Range {
    start: u32,
}

/// Reads a file.
#[worker_tool(activity = "Reading from {range.first}")]
async fn read_file(params: ReadFile, cx: ToolContext) -> String {
    format!("{}{}", params.range.start, cx.call_id())
}

fn main() {}
