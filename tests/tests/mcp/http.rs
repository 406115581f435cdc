//! Whom the HTTP endpoint lets in.

use std::net::SocketAddr;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tool_runtime::mcp::{HttpOptions, McpClient, McpServer, ServeError};
use tool_runtime::{CancellationToken, ToolSet, tools, worker_tool};

/// Gives back what it gets.
#[worker_tool(read_only, parallel)]
async fn echo(#[param] text: String) -> String {
    text
}

struct Running {
    url: String,
    address: String,
    stop: CancellationToken,
    serving: tokio::task::JoinHandle<Result<(), ServeError>>,
}

async fn run(options: HttpOptions) -> Running {
    let server = McpServer::new("test", "1", |_| tools![echo]).unwrap().max_message(10_000);
    let listening = server.listen_http(options).await.unwrap();
    let url = listening.url();
    let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let stop = CancellationToken::new();
    let cancel = stop.clone();
    let serving = tokio::spawn(async move { listening.run(&cancel).await });
    Running { url, address, stop, serving }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// The status line of the answer to a hand-written request.
async fn post(address: &str, headers: &[(&str, &str)], body: &str) -> u16 {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut request = "POST /mcp HTTP/1.1\r\nconnection: close\r\n".to_owned();
    let usual = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    for (name, value) in usual.iter().chain(headers) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.unwrap();
    std::str::from_utf8(&head[9..]).unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_foreign_host_or_page_is_turned_away() {
    let running = run(HttpOptions::loopback(0)).await;
    let address = running.address.as_str();
    assert_eq!(post(address, &[("host", address)], INITIALIZE).await, 200);
    assert_eq!(post(address, &[("host", "localhost")], INITIALIZE).await, 200);
    assert_eq!(post(address, &[("host", "evil.example")], INITIALIZE).await, 403);
    assert_eq!(post(address, &[("host", address), ("origin", "http://evil.example")], INITIALIZE).await, 403);
    assert_eq!(post(address, &[("host", address), ("origin", "null")], INITIALIZE).await, 403);
    assert_eq!(
        post(address, &[("host", address), ("origin", "http://localhost:3000")], INITIALIZE).await,
        200
    );
}

#[tokio::test]
async fn without_the_token_nobody_comes_in() {
    let running = run(HttpOptions::loopback(0).bearer("s3cret")).await;
    let address = running.address.as_str();
    let with = |token: &'static str| async move {
        post(address, &[("host", address), ("authorization", token)], INITIALIZE).await
    };
    assert_eq!(post(address, &[("host", address)], INITIALIZE).await, 401);
    for wrong in ["Bearer s3creT", "Bearer s3cre", "Bearer s3crett", "Bearer ", "s3cret", "Basic s3cret"] {
        assert_eq!(with(wrong).await, 401, "{wrong}");
    }
    assert_eq!(with("Bearer s3cret").await, 200);
    assert!(McpClient::url("test", &running.url).connect().await.is_err());
    let imported = McpClient::url("test", &running.url).bearer("s3cret").connect().await.unwrap();
    assert_eq!(imported.tools().len(), 1);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let running = run(HttpOptions::loopback(0)).await;
    let body = format!("{INITIALIZE}{}", " ".repeat(20_000));
    assert_eq!(post(&running.address, &[("host", &running.address)], &body).await, 413);
}

#[tokio::test]
async fn an_address_open_to_others_needs_a_token_and_names() {
    let server = McpServer::new("test", "1", |_| tools![echo]).unwrap();
    let open = || HttpOptions::address(SocketAddr::from(([0, 0, 0, 0], 0)));
    for (options, wanted) in [
        (open(), "a bearer token and the host names"),
        (open().bearer("x"), "the host names"),
        (open().host("example.com"), "a bearer token"),
        (HttpOptions::loopback(0).bearer(""), "not empty"),
    ] {
        let error = server.listen_http(options).await.unwrap_err();
        assert!(error.to_string().contains(wanted), "{error}");
    }
    server.listen_http(open().bearer("x").host("example.com")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_over_one_connection_all_come_back() {
    let running = run(HttpOptions::loopback(0)).await;
    let imported = McpClient::url("test", &running.url).connect().await.unwrap();
    let set = std::sync::Arc::new(ToolSet::new(imported.tools()).unwrap());
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..200 {
        let set = std::sync::Arc::clone(&set);
        calls.spawn(async move {
            let output = set.call("test.echo", &json!({"text": n.to_string()}).to_string()).await.unwrap();
            assert_eq!(output.model_text(), n.to_string());
        });
    }
    assert_eq!(calls.join_all().await.len(), 200);
    imported.close().await;
}

#[tokio::test]
async fn a_server_that_is_stopped_ends_although_a_client_holds_on() {
    let running = run(HttpOptions::loopback(0)).await;
    let imported = McpClient::url("test", &running.url).connect().await.unwrap();
    running.stop.cancel();
    running.serving.await.unwrap().unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    let error = set.call("test.echo", r#"{"text":"x"}"#).await.unwrap_err();
    assert!(error.to_string().contains("the MCP server `test`"), "{error}");
}
