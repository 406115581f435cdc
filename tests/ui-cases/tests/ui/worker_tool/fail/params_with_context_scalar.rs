use tool_runtime::{ToolContext, worker_tool};

/// Says hello.
#[worker_tool]
async fn hello(name: String, cx: ToolContext) -> String {
    name + cx.call_id()
}

fn main() {}
