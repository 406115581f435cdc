use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(max_output = 0)]
async fn hello() -> String {
    String::new()
}

fn main() {}
