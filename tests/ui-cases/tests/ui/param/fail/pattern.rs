use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param] _: String) -> usize {
    0
}

fn main() {}
