use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(params: std::collections::BTreeMap<String, u32>) -> String {
    drop(params);
    String::new()
}

fn main() {}
