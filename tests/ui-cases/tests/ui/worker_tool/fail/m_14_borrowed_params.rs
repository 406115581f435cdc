use tool_runtime::worker_tool;

use std::borrow::Cow;

/// Counts.
#[worker_tool]
async fn count(text: Cow<'_, str>) -> usize {
    text.len()
}

fn main() {}
