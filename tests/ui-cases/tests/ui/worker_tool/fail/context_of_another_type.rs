use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool]
async fn read_file(params: ReadFile, cx: u32) -> String {
    format!("{}{cx}", params.path)
}

fn main() {}
