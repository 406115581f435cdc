use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

fn label(path: &String) -> String {
    path.clone()
}

/// Reads a file.
#[worker_tool(activity = label)]
async fn read_file(params: ReadFile) -> String {
    params.path
}

fn main() {}
