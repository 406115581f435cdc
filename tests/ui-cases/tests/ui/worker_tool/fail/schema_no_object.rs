use tool_runtime::worker_tool;

/// Takes anything.
#[worker_tool(schema = r#"{"type": "string"}"#)]
async fn anything(arguments: serde_json::Value) -> String {
    arguments.to_string()
}

fn main() {}
