use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param] texts: Vec<&'static str>) -> usize {
    texts.len()
}

fn main() {}
