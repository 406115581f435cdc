use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[schemars(length(min = 1))] text: String) -> usize {
    text.len()
}

fn main() {}
