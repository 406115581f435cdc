use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(function = hello)]
async fn hello() -> String {
    String::new()
}

fn main() {}
