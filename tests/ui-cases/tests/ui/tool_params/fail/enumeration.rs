use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

/// Takes it.
#[worker_tool]
async fn take(params: Shape) {
    drop(params);
}

fn main() {
    tools![take];
}
