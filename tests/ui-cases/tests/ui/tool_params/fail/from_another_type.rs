use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(from = "String")]
struct Path {
    path: String,
}

impl From<String> for Path {
    fn from(path: String) -> Self {
        Self { path }
    }
}

/// Takes it.
#[worker_tool]
async fn take(params: Path) {
    drop(params);
}

fn main() {
    tools![take];
}
