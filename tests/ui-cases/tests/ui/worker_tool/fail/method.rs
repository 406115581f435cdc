use tool_runtime::{tools, worker_tool};

struct Greeter;

impl Greeter {
    /// Says hello.
    #[worker_tool]
    async fn hello(&self) -> String {
        String::new()
    }
}

fn main() {
    tools![Greeter::hello];
}
