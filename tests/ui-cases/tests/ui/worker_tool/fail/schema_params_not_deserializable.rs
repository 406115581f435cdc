use tool_runtime::worker_tool;

struct Anything;

/// Takes anything.
#[worker_tool(schema = r#"{"type": "object"}"#)]
async fn anything(arguments: Anything) -> String {
    drop(arguments);
    String::new()
}

fn main() {}
