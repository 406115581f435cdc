//! The smallest program with tools: prints their definitions and makes the call that its arguments name.

mod tools;

/// Another value makes the compiler build this crate anew.
const EDIT: &str = env!("EDIT");

use std::sync::Arc;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("the name of a tool");
    let text = arguments.next().expect("its arguments");
    let tools = tools::all();
    let declarations: Vec<_> = tools.iter().map(|tool| tool.declaration()).collect();
    println!("{EDIT} {}", serde_json::to_string(&declarations).expect("JSON"));
    let tool = tools.iter().find(|tool| tool.name() == name).expect("it is there");
    let context = Arc::new(adk_tool::SimpleToolContext::new("minimal"));
    let arguments = serde_json::from_str(&text).expect("JSON");
    println!("{}", tool.execute(context, arguments).await.expect("it works"));
}
