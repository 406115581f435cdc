use tool_runtime::worker_tool;

const CRM: &str = "crm";

/// Says hello.
#[worker_tool(namespace = CRM)]
async fn hello() -> String {
    String::new()
}

fn main() {}
