use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(activity = 3)]
async fn hello() -> String {
    String::new()
}

fn main() {}
