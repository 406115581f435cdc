//! The smallest server with tools: prints their definitions, then serves them.

mod tools;

use rmcp::{ServerHandler, ServiceExt, tool_handler};

/// Another value makes the compiler build this crate anew.
const EDIT: &str = env!("EDIT");

#[tool_handler]
impl ServerHandler for tools::Server {}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let definitions = tools::Server::tool_router().list_all();
    eprintln!("{EDIT} {}", serde_json::to_string(&definitions).expect("JSON"));
    let server = tools::Server.serve(rmcp::transport::stdio()).await.expect("a client");
    server.waiting().await.expect("it runs");
}
