use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(params: (u32, u32)) -> String {
    drop(params);
    String::new()
}

fn main() {}
