use tool_runtime::worker_tool;

/// Adds.
#[worker_tool(activity = "Adding {base}")]
async fn add(#[state] base: i64, #[param] a: i64) -> i64 {
    base + a
}

fn main() {}
