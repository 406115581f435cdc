use tool_runtime::{tools, worker_tool};

/// Says hello.
#[worker_tool]
async fn hello(#[state] name: String) -> String {
    name
}

fn main() {
    tools![hello(3)];
}
