use tool_runtime::worker_tool;

fn label() -> &'static str {
    "Adding"
}

/// Adds.
#[worker_tool(activity = label)]
async fn add(#[param] a: i64) -> i64 {
    a
}

fn main() {}
