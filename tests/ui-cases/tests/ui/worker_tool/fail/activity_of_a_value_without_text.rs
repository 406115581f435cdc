use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    range: Range,
}

#[derive(Deserialize, JsonSchema)]
struct Range {
    start: u32,
}

/// Reads a file.
#[worker_tool(activity = "Reading {range}")]
async fn read_file(params: ReadFile) -> u32 {
    params.range.start
}

fn main() {}
