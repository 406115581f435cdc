use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool]
async fn read_file(params: ReadFile) -> String {
    let _ = params.;
    String::new()
}

fn main() {
    tools![read_file];
}
