use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(parallel, sequential)]
async fn hello() -> String {
    String::new()
}

fn main() {}
