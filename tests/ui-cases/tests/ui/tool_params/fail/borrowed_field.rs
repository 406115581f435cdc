use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::ToolParams;

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Path<'a> {
    path: &'a str,
}

fn main() {}
