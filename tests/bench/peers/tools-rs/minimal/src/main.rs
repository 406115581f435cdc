//! The smallest program with tools: prints their definitions and makes the call that its arguments name.

mod tools;

/// Another value makes the compiler build this crate anew.
const EDIT: &str = env!("EDIT");

use tools_rs::{FunctionCall, ToolCollection, collect_tools};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("the name of a tool");
    let text = arguments.next().expect("its arguments");
    let tools: ToolCollection = collect_tools();
    println!("{EDIT} {}", tools.json().expect("JSON"));
    let arguments = serde_json::from_str(&text).expect("JSON");
    println!("{}", tools.call(FunctionCall::new(name, arguments)).await.expect("it works").result);
}
