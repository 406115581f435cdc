use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(read_only, parallel, read_only)]
async fn hello() -> String {
    String::new()
}

fn main() {}
