use serde::Deserialize;
use tool_runtime::worker_tool;

#[derive(Deserialize)]
struct Text {
    text: String,
}

/// Counts.
#[worker_tool]
async fn count(#[param] text: Text) -> usize {
    text.text.len()
}

fn main() {}
