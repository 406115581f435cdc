use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(name = "say hello")]
async fn hello() -> String {
    String::new()
}

fn main() {}
