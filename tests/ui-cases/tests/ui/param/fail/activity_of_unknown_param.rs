use tool_runtime::worker_tool;

/// Adds.
#[worker_tool(activity = "Adding {frist} and {second}")]
async fn add(#[param] first: i64, #[param] second: i64) -> i64 {
    first + second
}

fn main() {}
