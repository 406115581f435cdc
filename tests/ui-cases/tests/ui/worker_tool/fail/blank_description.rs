use tool_runtime::worker_tool;

#[worker_tool(description = " ")]
async fn hello() -> String {
    String::new()
}

fn main() {}
