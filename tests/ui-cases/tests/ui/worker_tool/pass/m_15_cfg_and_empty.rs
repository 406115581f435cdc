#![deny(warnings)]
#![allow(unexpected_cfgs)]

use tool_runtime::{WorkerAgentTool, tools, worker_tool};

/// Does nothing.
#[worker_tool]
async fn nothing() {}

fn main() {
    let list = tools![
        #[cfg(feature = "extra")]
        extra,
        #[cfg(feature = "extra")]
        if extra_is_on() => ..extras(),
        nothing,
    ];
    assert_eq!(list.len(), 1);
    let empty = tools![];
    assert!(empty.is_empty());
    let none: Vec<WorkerAgentTool> = tools![#[cfg(feature = "extra")] extra];
    assert!(none.is_empty());
}
