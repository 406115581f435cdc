use tool_runtime::worker_tool;

/// Runs code.
#[worker_tool(input = text, schema = r#"{"type": "object"}"#)]
async fn run(code: String) -> String {
    code
}

fn main() {}
