use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(name: impl Into<String>) -> String {
    name.into()
}

fn main() {}
