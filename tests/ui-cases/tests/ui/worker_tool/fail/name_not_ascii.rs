use tool_runtime::worker_tool;

/// Gives the size.
#[worker_tool]
async fn größe() -> u32 {
    1
}

fn main() {}
