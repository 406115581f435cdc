use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(params: Vec<String>) -> String {
    drop(params);
    String::new()
}

fn main() {}
