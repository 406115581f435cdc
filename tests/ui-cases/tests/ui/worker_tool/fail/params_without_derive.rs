use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::worker_tool;

#[derive(Deserialize, JsonSchema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool]
async fn read_file(params: ReadFile) -> String {
    params.path
}

fn main() {}
