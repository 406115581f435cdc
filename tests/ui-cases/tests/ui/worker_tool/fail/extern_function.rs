use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async extern "C" fn hello() -> String {
    String::new()
}

fn main() {}
