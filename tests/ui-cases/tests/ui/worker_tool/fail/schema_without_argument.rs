use tool_runtime::worker_tool;

/// Takes anything.
#[worker_tool(schema = r#"{"type": "object"}"#)]
async fn anything() -> String {
    String::new()
}

fn main() {}
