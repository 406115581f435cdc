//! Names that could meet those of the generated code.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolContext, ToolParams, tools, worker_tool};

#[derive(Clone, Deserialize, JsonSchema, ToolParams)]
#[allow(non_snake_case)]
struct Params {
    tool_params: u32,
    tool_details: u32,
    params: u32,
    label: u32,
    __Params: u32,
}

const DEFINITION: &str = "Says hello.";

/// State of the tool's own name.
#[worker_tool(description = DEFINITION, activity = "{tool_params} {tool_details} {label}", completed_activity = "{params}")]
async fn hello(#[state] hello: u32, #[state] __params: u32, params: Params, context: ToolContext) -> u32 {
    let _ = context;
    hello + __params + params.__Params
}

/// The same, inline.
#[worker_tool(function = output)]
async fn inline(#[state] output: u32, #[state] call: u32, #[param] finish: u32, #[param] __params: u32) -> u32 {
    output + call + finish + __params
}

/// Calls itself.
#[worker_tool]
async fn down(#[param] n: u32) -> u32 {
    if n == 0 { 0 } else { Box::pin(down(n - 1)).await }
}

struct Group;

impl Group {
    /// Belongs to a type.
    #[worker_tool]
    async fn of_a_type(#[param] n: u32) -> u32 {
        n
    }
}

fn main() {
    /// Inside a function.
    #[worker_tool]
    async fn local() {}

    assert_eq!(tools![hello(1, 2), inline(1, 2), down, Group::of_a_type, local].len(), 5);
}
