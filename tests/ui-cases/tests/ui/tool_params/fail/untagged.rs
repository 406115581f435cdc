use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(untagged)]
enum Path {
    One(String),
    Many(Vec<String>),
}

/// Takes it.
#[worker_tool]
async fn take(params: Path) {
    drop(params);
}

fn main() {
    tools![take];
}
