use tool_runtime::{tools, worker_tool};

/// Says hello.
#[worker_tool]
async fn hello() -> String {
    String::new()
}

fn main() {
    tools![hello, hello];
}
