use tool_runtime::{tools, worker_tool};

/// Says hello.
#[worker_tool]
async fn hello() -> String {
    String::new()
}

async fn plain() -> String {
    String::new()
}

fn main() {
    tools![hello, plain];
}
