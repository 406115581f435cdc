use schemars::JsonSchema;
use tool_runtime::{Json, worker_tool};

#[derive(JsonSchema)]
struct Page {
    lines: u32,
}

/// Gives a page.
#[worker_tool]
async fn page() -> Json<Page> {
    Json(Page { lines: 1 })
}

fn main() {}
