use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param(name = "words")] text: String) -> usize {
    text.len()
}

fn main() {}
