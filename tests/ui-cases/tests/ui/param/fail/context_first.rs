use tool_runtime::{ToolContext, worker_tool};

/// Counts.
#[worker_tool]
async fn count(cx: ToolContext, #[param] text: String) -> usize {
    text.len() + cx.call_id().len()
}

fn main() {}
