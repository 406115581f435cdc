use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool(activity = "Reading {path:?}")]
async fn read_file(params: ReadFile) -> String {
    params.path
}

fn main() {}
