use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool(allowed_callers = [direct, program])]
async fn hello() -> String {
    String::new()
}

fn main() {}
