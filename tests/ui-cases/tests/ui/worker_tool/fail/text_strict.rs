use tool_runtime::worker_tool;

/// Runs code.
#[worker_tool(input = text, strict)]
async fn run(code: String) -> String {
    code
}

fn main() {}
