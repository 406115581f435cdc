use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(read_only, destructive = true)]
async fn hello() -> String {
    String::new()
}

fn main() {}
