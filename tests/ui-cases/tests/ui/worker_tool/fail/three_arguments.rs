use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolContext, ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool]
async fn read_file(root: String, params: ReadFile, cx: ToolContext) -> String {
    root + &params.path + cx.call_id()
}

fn main() {}
