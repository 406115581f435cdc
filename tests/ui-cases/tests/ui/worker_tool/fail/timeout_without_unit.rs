use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(timeout = "30")]
async fn hello() -> String {
    String::new()
}

fn main() {}
