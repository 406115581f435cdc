use serde::Deserialize;
use tool_runtime::ToolParams;

#[derive(Deserialize, ToolParams)]
struct Path {
    path: String,
}

fn main() {}
