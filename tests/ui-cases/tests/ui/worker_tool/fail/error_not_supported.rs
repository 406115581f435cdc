use tool_runtime::worker_tool;

/// Gives a page.
#[worker_tool]
async fn page() -> Result<String, String> {
    Ok(String::new())
}

fn main() {}
