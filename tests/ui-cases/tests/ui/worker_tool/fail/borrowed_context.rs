use tool_runtime::{ToolContext, worker_tool};

/// Gives the call's id.
#[worker_tool]
async fn id(cx: &ToolContext) -> String {
    cx.call_id().to_owned()
}

fn main() {}
