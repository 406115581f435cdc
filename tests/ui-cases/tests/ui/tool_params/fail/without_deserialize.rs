use schemars::JsonSchema;
use tool_runtime::ToolParams;

#[derive(JsonSchema, ToolParams)]
struct Path {
    path: String,
}

fn main() {}
