use tool_runtime::{ToolContext, ToolError, tools, worker_tool};

/// Adds.
#[worker_tool(function = add_plain)]
pub async fn add(#[state] base: u32, #[param] a: u32, #[param] b: u32, _: ToolContext) -> Result<u32, ToolError> {
    Ok(base + a + b)
}

async fn use_it(cx: ToolContext) -> u32 {
    let sum: Result<u32, ToolError> = add_plain(1, 2, 3, cx).await;
    sum.unwrap_or_default()
}

fn main() {
    let _ = use_it;
    assert_eq!(tools![add(1)].len(), 1);
}
