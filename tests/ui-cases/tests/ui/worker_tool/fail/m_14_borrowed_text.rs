use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(text: &str) -> usize {
    text.len()
}

fn main() {}
