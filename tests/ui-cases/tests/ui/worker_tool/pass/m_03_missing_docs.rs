//! Tools.
#![deny(missing_docs)]

use tool_runtime::{ToolError, worker_tool};

/// Adds.
#[worker_tool(function = plain_add)]
pub async fn add(#[param] a: u32, #[param] b: u32) -> Result<u32, ToolError> {
    Ok(a + b)
}

#[worker_tool(description = "Adds nothing.")]
pub async fn nothing() {}

/// Starts nothing.
pub fn main() {}
