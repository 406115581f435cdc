use tool_runtime::{tools, worker_tool};

mod inner {
    use super::worker_tool;

    /// Gives the number.
    #[worker_tool]
    async fn f(#[param] n: u32) -> u32 {
        n
    }
}

fn main() {
    tools![inner::f];
}
