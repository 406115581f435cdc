use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

#[derive(Serialize, JsonSchema)]
struct Page {
    lines: u32,
}

/// Reads a file.
#[worker_tool(completed_activity = "Read {details.line} lines of {path}")]
async fn read_file(params: ReadFile) -> Json<Page> {
    drop(params);
    Json(Page { lines: 1 })
}

fn main() {}
