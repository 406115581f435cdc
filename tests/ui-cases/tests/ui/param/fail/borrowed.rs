use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param] text: &str) -> usize {
    text.len()
}

fn main() {}
