use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Range {
    start: u32,
}

/// Reads a file.
#[worker_tool]
async fn read_file(params: ReadFile, range: Range) -> String {
    format!("{}{}", params.path, range.start)
}

fn main() {}
