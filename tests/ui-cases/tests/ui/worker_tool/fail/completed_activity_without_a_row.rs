use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(activity = none, completed_activity = "Greeted")]
async fn hello() -> String {
    String::new()
}

fn main() {}
