use tool_runtime::{tools, worker_tool};

/// Says hello.
#[worker_tool(read_only)]
async fn hello(#[state] name: String, #[param] times: usize) -> String {
    let name: usize = name;
    (name + times).to_string()
}

fn main() {
    tools![hello(String::new())];
}
