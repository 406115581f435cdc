use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(completed_activity = none)]
async fn hello() -> String {
    String::new()
}

fn main() {}
