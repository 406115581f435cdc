use tool_runtime::worker_tool;

const ABOUT: u32 = 1;

#[worker_tool(description = ABOUT)]
async fn hello() -> String {
    String::new()
}

fn main() {}
