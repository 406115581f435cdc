//! The official clients for Python and TypeScript call our server, over standard input and output and over HTTP.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::installed::{HttpServer, SERVED_TOOLS, node, peers, script};

/// A call, whether its result is an error, and what its text holds.
fn calls() -> Vec<(&'static str, Value, bool, &'static str)> {
    let patch = "*** Begin Patch\n*** Add File: new.txt\n+from a patch\n*** End Patch";
    vec![
        ("todo", json!({"todos": [{"id": "a", "content": "try the tools"}]}), false, "try the tools"),
        ("command", json!({"command": "echo from the shell"}), false, "from the shell"),
        ("read_file", json!({"path": "notes.txt"}), false, "hello"),
        ("read_file", json!({"path": "notes.txt", "limit": 0}), true, "`/limit`"),
        ("read_file", json!({"path": "/etc/passwd"}), true, "outside"),
        ("find", json!({"pattern": "notes"}), false, "notes.txt"),
        ("grep", json!({"pattern": "hell"}), false, "hello"),
        ("ls", json!({}), false, "notes.txt"),
        ("apply_patch", json!({"input": patch}), false, "new.txt"),
        ("reply_attachment", json!({"path": "notes.txt"}), false, "queued"),
        ("sum", json!({"numbers": [1, 2, 39]}), false, "42"),
        ("sum", json!({"numbers": []}), true, "`/numbers`"),
        ("test_error_handling", json!({}), true, "as it was meant to"),
    ]
}

/// Tools that are there for other tests.
const OTHERS: [&str; 3] = ["count", "clarify", "json_schema_2020_12_tool"];

fn try_client(mut client: Command, over_http: bool) {
    let folder = tempfile::tempdir().unwrap();
    let workspace = folder.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    std::fs::write(workspace.join("notes.txt"), "hello\n").unwrap();
    let listed: Vec<Value> =
        calls().iter().map(|(name, arguments, ..)| json!({"name": name, "arguments": arguments})).collect();
    let file = folder.path().join("calls.json");
    std::fs::write(&file, Value::from(listed).to_string()).unwrap();
    client.arg(&file);
    let server = over_http.then(|| HttpServer::start(&workspace));
    match &server {
        Some(server) => client.args(["http", &server.url]),
        None => client.args(["stdio", SERVED_TOOLS]).arg(&workspace),
    };
    let output = client.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    judge(&serde_json::from_slice(&output.stdout).unwrap(), &workspace);
}

fn judge(got: &Value, workspace: &Path) {
    let results = got["results"].as_array().unwrap();
    for ((name, arguments, is_error, holds), result) in calls().iter().zip(results) {
        assert_eq!(result["is_error"], *is_error, "{name} {arguments}: {result}");
        assert!(result["text"].as_str().unwrap().contains(holds), "{name} {arguments}: {result}");
    }
    assert_eq!(results.len(), calls().len());
    for tool in got["tools"].as_array().unwrap() {
        let name = tool.as_str().unwrap();
        let is_called = calls().iter().any(|(called, ..)| *called == name);
        assert!(is_called || OTHERS.contains(&name) || name.starts_with("test_"), "nobody calls `{name}`");
    }
    assert!(got["unknown"].as_str().unwrap().contains("no tool is named `no_such_tool`"), "{got}");
    let progress: Vec<Option<f64>> = got["progress"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|report| [report[0].as_f64(), report[1].as_f64()])
        .collect();
    assert_eq!(progress, [1.0, 3.0, 2.0, 3.0, 3.0, 3.0].map(Some));
    assert_eq!((&got["counted"], &got["after"]), (&json!("counted to 3"), &json!("This is a text.")));
    // The call that was given up has heard of it: it did not get to the end, and says where it stopped. The connection may
    // have been closed before it could write that.
    let counted = std::fs::read_to_string(workspace.join("counted")).unwrap();
    assert_eq!(counted, "3");
    while !workspace.join("stopped").exists() {
        std::thread::yield_now();
    }
}

fn python(peers: &Path) -> Command {
    let mut python = Command::new(peers.join("python/bin/python"));
    python.arg(script("client.py"));
    python
}

fn typescript(peers: &Path) -> Command {
    let mut client = Command::new(node(peers));
    client.arg(script("client.mjs")).env("PEERS", peers);
    client
}

#[test]
fn python_over_stdio() {
    if let Some(peers) = peers() {
        try_client(python(&peers), false);
    }
}

#[test]
fn python_over_http() {
    if let Some(peers) = peers() {
        try_client(python(&peers), true);
    }
}

#[test]
fn typescript_over_stdio() {
    if let Some(peers) = peers() {
        try_client(typescript(&peers), false);
    }
}

#[test]
fn typescript_over_http() {
    if let Some(peers) = peers() {
        try_client(typescript(&peers), true);
    }
}
