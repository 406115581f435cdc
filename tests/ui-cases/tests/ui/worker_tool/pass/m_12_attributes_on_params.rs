use tool_runtime::{ToolError, tools, worker_tool};

fn five() -> u32 {
    5
}

/// Finds.
#[worker_tool]
async fn find(
    /// Where to look.
    #[state]
    root: String,
    /// What to look for.
    #[param]
    #[schemars(length(min = 1))]
    q: String,
    #[param]
    #[serde(default, rename = "max")]
    limit: u32,
    #[param]
    #[serde(default = "five")]
    #[allow(unused_variables)]
    depth: u32,
) -> Result<String, ToolError> {
    Ok(format!("{root}{q}{limit}"))
}

fn main() {
    assert_eq!(tools![find(String::new())].len(), 1);
}
