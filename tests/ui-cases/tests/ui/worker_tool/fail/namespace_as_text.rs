use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(namespace = "crm")]
async fn hello() -> String {
    String::new()
}

fn main() {}
