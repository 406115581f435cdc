use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello<'a>() -> &'a str {
    ""
}

fn main() {}
