use tool_runtime::worker_tool;

const ABOUT: &str = "";

#[worker_tool(description = ABOUT)]
async fn hello() -> String {
    String::new()
}

fn main() {}
