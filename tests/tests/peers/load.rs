//! Many calls and many connections at once: nothing is lost, and memory stays bounded.

use std::sync::Arc;

use serde_json::json;
use tokio::task::JoinSet;
use tool_runtime::ToolSet;
use tool_runtime::mcp::McpClient;

use crate::installed::HttpServer;

/// The most that the server may ever have taken, in KiB. It holds results until they are read, and no more.
const MAX_MEMORY: u64 = 300_000;

async fn calls(url: &str, calls: u64) {
    let imported = McpClient::url("load", url).connect().await.unwrap();
    let set = Arc::new(ToolSet::new(imported.tools()).unwrap());
    let mut running = JoinSet::new();
    for n in 0..calls {
        let set = Arc::clone(&set);
        running.spawn(async move {
            let output = set.call("load.sum", &json!({"numbers": [n, 1]}).to_string()).await.unwrap();
            assert_eq!(output.details().unwrap().get(), json!({"sum": n + 1}).to_string());
        });
    }
    assert_eq!(running.join_all().await.len() as u64, calls);
    imported.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_at_once_over_one_connection() {
    let folder = tempfile::tempdir().unwrap();
    let server = HttpServer::start(folder.path());
    calls(&server.url, 1_000).await;
    println!("1,000 calls over one connection: peak {} KiB", server.peak_memory());
    assert!(server.peak_memory() < MAX_MEMORY);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_connections_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = HttpServer::start(folder.path());
    let mut running = JoinSet::new();
    for _ in 0..100 {
        let url = server.url.clone();
        running.spawn(async move { calls(&url, 10).await });
    }
    running.join_all().await;
    println!("100 connections with 10 calls each: peak {} KiB", server.peak_memory());
    assert!(server.peak_memory() < MAX_MEMORY);
}
