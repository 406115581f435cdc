use tool_runtime::{ToolContext, worker_tool};

/// Counts.
#[worker_tool]
async fn count(#[param] text: String, other: String, cx: ToolContext) -> usize {
    text.len() + other.len() + cx.call_id().len()
}

fn main() {}
