use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(#[cfg(unix)] #[state] name: String) -> String {
    name
}

fn main() {}
