use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(transparent)]
struct Path {
    path: String,
}

/// Takes it.
#[worker_tool]
async fn take(params: Path) {
    drop(params);
}

fn main() {
    tools![take];
}
