use tool_runtime::{tools, worker_tool};

/// Says hello.
#[worker_tool]
async fn hello(#[state] name: String) -> String {
    name
}

fn main() {
    let name = String::new();
    tools![hello(name.clone()), hello(name.clone()), if name.is_empty() => hello(name.clone())];
}
