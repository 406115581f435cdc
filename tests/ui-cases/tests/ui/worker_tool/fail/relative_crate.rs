use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(crate = tool_runtime)]
async fn hello() -> String {
    String::new()
}

fn main() {}
