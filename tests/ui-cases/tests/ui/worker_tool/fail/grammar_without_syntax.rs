use tool_runtime::worker_tool;

/// Runs code.
#[worker_tool(input = text(grammar = "start: WORD"))]
async fn run(code: String) -> String {
    code
}

fn main() {}
