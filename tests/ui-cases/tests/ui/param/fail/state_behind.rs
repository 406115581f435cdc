use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param] text: String, #[state] base: usize) -> usize {
    base + text.len()
}

fn main() {}
