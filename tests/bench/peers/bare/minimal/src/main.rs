//! The smallest program with tools: prints their definitions and makes the call that its arguments name.

mod tools;

/// Another value makes the compiler build this crate anew.
const EDIT: &str = env!("EDIT");

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().expect("the name of a tool");
    let text = arguments.next().expect("its arguments");
    println!("{EDIT} {}", serde_json::to_string(&tools::definitions()).expect("JSON"));
    println!("{}", tools::call(&name, &text).await.expect("it works"));
}
