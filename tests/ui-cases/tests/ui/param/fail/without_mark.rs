use tool_runtime::worker_tool;

/// Adds.
#[worker_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
