use tool_runtime::worker_tool;

/// Counts.
#[worker_tool]
async fn count(#[param] text: Option<impl Into<String>>) -> usize {
    text.map_or(0, |text| text.into().len())
}

fn main() {}
