use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(parallel = true)]
async fn hello() -> String {
    String::new()
}

fn main() {}
