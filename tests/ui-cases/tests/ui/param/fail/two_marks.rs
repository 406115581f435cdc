use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[state] #[param] text: String) -> usize {
    text.len()
}

fn main() {}
