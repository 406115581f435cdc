use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolParams;

#[derive(Deserialize, JsonSchema, ToolParams)]
#[tool_params(crate = tool_runtime)]
struct Path {
    path: String,
}

fn main() {}
