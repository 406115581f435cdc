use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Nothing;

/// Takes it.
#[worker_tool]
async fn take(params: Nothing) {
    drop(params);
}

fn main() {
    tools![take];
}
