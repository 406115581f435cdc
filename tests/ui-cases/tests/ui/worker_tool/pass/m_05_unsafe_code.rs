#![forbid(unsafe_code)]

use tool_runtime::{ToolError, tools, worker_tool};

/// Does nothing.
#[worker_tool]
async fn f() -> Result<(), ToolError> {
    Ok(())
}

fn main() {
    assert_eq!(tools![f].len(), 1);
}
