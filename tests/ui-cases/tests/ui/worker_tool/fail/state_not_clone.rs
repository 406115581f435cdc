use tool_runtime::worker_tool;

struct Name(String);

/// Says hello.
#[worker_tool]
async fn hello(#[state] name: Name) -> String {
    name.0
}

fn main() {}
