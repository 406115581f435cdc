use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
struct Hello;

fn main() {}
