use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async unsafe fn hello() -> String {
    String::new()
}

fn main() {}
