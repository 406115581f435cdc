use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
const fn hello() -> u32 {
    1
}

fn main() {}
