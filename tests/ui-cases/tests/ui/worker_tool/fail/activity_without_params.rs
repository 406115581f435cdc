use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(activity = "Greeting {name}")]
async fn hello() -> String {
    String::new()
}

fn main() {}
