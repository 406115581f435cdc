use tool_runtime::{ToolError, worker_tool};

async fn tick() {}

/// Counts.
#[worker_tool]
async fn count() -> Result<u32, ToolError> {
    let rc = std::rc::Rc::new(1);
    tick().await;
    Ok(*rc)
}

fn main() {}
