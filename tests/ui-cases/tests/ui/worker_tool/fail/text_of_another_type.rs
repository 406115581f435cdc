use tool_runtime::worker_tool;

/// Runs code.
#[worker_tool(input = text)]
async fn run(code: Vec<u8>) -> String {
    format!("{code:?}")
}

fn main() {}
