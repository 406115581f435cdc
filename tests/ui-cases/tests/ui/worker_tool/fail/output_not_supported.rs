use tool_runtime::worker_tool;

struct Page;

/// Gives a page.
#[worker_tool]
async fn page() -> Vec<Page> {
    Vec::new()
}

fn main() {}
