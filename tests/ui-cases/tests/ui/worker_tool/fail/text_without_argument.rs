use tool_runtime::worker_tool;

/// Runs code.
#[worker_tool(input = text)]
async fn run() -> String {
    String::new()
}

fn main() {}
