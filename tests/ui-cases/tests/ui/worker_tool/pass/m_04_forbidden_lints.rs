#![forbid(non_snake_case, unused_variables, unused_mut, unreachable_code)]

use tool_runtime::{ToolError, tools, worker_tool};

/// Adds one.
#[worker_tool]
pub async fn inc(#[param] n: u32) -> Result<u32, ToolError> {
    Ok(n + 1)
}

fn main() {
    assert_eq!(tools![inc].len(), 1);
}
