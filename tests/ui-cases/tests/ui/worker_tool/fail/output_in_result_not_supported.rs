use tool_runtime::{ToolError, worker_tool};

struct Page;

/// Gives a page.
#[worker_tool]
async fn page() -> Result<Page, ToolError> {
    Ok(Page)
}

fn main() {}
