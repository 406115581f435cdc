//! The smallest program with tools: prints their definitions and makes the call that its arguments name.

mod tools;

/// Another value makes the compiler build this crate anew.
const EDIT: &str = env!("EDIT");

use tool_runtime::ToolSet;
use tool_runtime::provider::responses::encode_tools;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("the name of a tool");
    let text = arguments.next().expect("its arguments");
    let set = ToolSet::new(tools::all()).expect("no faults");
    println!("{EDIT} {}", encode_tools(&set));
    println!("{}", runtime.block_on(set.call(&name, &text)).expect("it works").model_text());
}
