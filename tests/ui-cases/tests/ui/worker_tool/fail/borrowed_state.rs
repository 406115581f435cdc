use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(#[state] name: &String) -> String {
    name.clone()
}

fn main() {}
