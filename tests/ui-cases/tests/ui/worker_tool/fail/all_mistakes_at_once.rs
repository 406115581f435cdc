use tool_runtime::{tools, worker_tool};

#[worker_tool(paralel, read_only, read_only, timeout = "1h", name = "a b")]
fn hello<T>(#[param] (a, b): (u32, u32), #[state] name: String) -> String {
    format!("{name} {a} {b}")
}

fn main() {
    tools![hello(String::new())];
}
