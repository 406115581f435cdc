use tool_runtime::worker_tool;

/// Takes anything.
#[worker_tool(schema = 3 + 4)]
async fn anything(arguments: serde_json::Value) -> String {
    arguments.to_string()
}

fn main() {}
