use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(paralel)]
async fn hello() -> String {
    String::new()
}

fn main() {}
