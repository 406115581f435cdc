//! Servers that others wrote, taken into a turn.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tool_runtime::ToolSet;
use tool_runtime::mcp::{McpClient, definitions};

use crate::installed::{node, peers};

/// What the server itself says its tools are, asked without our client.
fn listed(program: &Path, arguments: &[String]) -> Vec<Value> {
    let mut server = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut ask = |message: Value| {
        writeln!(input, "{message}").unwrap();
        let Some(id) = message.get("id") else { return Value::Null };
        loop {
            let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            if answer.get("id") == Some(id) && answer.get("method").is_none() {
                return answer;
            }
        }
    };
    ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "plain", "version": "1"},
    }}));
    ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let answer = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}));
    drop(input);
    server.wait().unwrap();
    answer["result"]["tools"].as_array().unwrap().clone()
}

/// Takes the server in: every tool is there with its schema unchanged; a good call works, a bad one is stopped here.
async fn try_server(
    program: &Path,
    arguments: &[String],
    good: (&str, Value, &str),
    bad: (&str, Value, &str),
) {
    let theirs = listed(program, arguments);
    let client = McpClient::command("peer", program.to_string_lossy(), arguments.iter().cloned());
    let imported = client.connect().await.unwrap();
    assert_eq!(imported.left_out(), []);
    let set = ToolSet::new(imported.tools()).unwrap();
    let ours = definitions(&set);
    assert!(!theirs.is_empty());
    // A server may offer more once it knows what its client can do; what it offers all clients is all there.
    for tool in &theirs {
        let name = format!("peer__{}", tool["name"].as_str().unwrap());
        let ours = ours.iter().find(|ours| ours["name"] == name).unwrap_or_else(|| panic!("no `{name}`"));
        assert_eq!(ours["inputSchema"], tool["inputSchema"], "{name}");
    }
    let (name, arguments, holds) = good;
    let output = set.call(&format!("peer.{name}"), &arguments.to_string()).await.unwrap();
    assert!(output.model_text().contains(holds), "{}", output.model_text());
    let (name, arguments, says) = bad;
    let error = set.call(&format!("peer.{name}"), &arguments.to_string()).await.unwrap_err();
    assert!(error.to_string().contains(says), "{error}");
    imported.close().await;
}

#[tokio::test]
async fn the_reference_server_for_everything() {
    let Some(peers) = peers() else { return };
    let arguments = [peers.join("node_modules/.bin/mcp-server-everything").to_string_lossy().into_owned()];
    let good = ("get-sum", json!({"a": 2, "b": 40}), "42");
    let bad = ("get-sum", json!({"a": "many", "b": 40}), "`/a`");
    try_server(&node(&peers), &arguments, good, bad).await;
}

#[tokio::test]
async fn the_reference_server_for_files() {
    let Some(peers) = peers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("notes.txt");
    std::fs::write(&path, "hello from a file").unwrap();
    let program = peers.join("node_modules/.bin/mcp-server-filesystem");
    let arguments =
        [program.to_string_lossy().into_owned(), path.parent().unwrap().to_string_lossy().into_owned()];
    let good = ("read_text_file", json!({"path": path}), "hello from a file");
    let bad = ("read_text_file", json!({"paths": [path]}), "`path`");
    try_server(&node(&peers), &arguments, good, bad).await;
    let outside = ("read_text_file", json!({"path": "/etc/hostname"}), "denied");
    let good = ("list_allowed_directories", json!({}), "");
    try_server(&node(&peers), &arguments, good, outside).await;
}

#[tokio::test]
async fn a_server_in_python() {
    let Some(peers) = peers() else { return };
    let program = peers.join("python/bin/mcp-server-time");
    let good = ("get_current_time", json!({"timezone": "Asia/Tokyo"}), "Asia/Tokyo");
    let bad = ("get_current_time", json!({"zone": "Asia/Tokyo"}), "`timezone`");
    try_server(&program, &["--local-timezone=UTC".to_owned()], good, bad).await;
}
