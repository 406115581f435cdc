use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello<T: Default + Clone + Send + Sync>(#[state] name: T) -> String {
    drop(name);
    String::new()
}

fn main() {}
