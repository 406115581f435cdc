use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(timeout = "0s")]
async fn hello() -> String {
    String::new()
}

fn main() {}
