use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(params: serde_json::Value) -> String {
    drop(params);
    String::new()
}

fn main() {}
