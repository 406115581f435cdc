use std::rc::Rc;

use tool_runtime::worker_tool;

/// Says hello.
#[worker_tool]
async fn hello(#[state] name: Rc<str>) -> String {
    name.to_string()
}

fn main() {}
