//! A client that is nothing but lines of JSON.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tool_runtime::CancellationToken;
use tool_runtime::mcp::McpServer;

/// One connection to a server in this process.
pub(crate) struct Raw {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    pub(crate) stop: CancellationToken,
    pub(crate) serving: tokio::task::JoinHandle<()>,
    next_id: u64,
}

impl Raw {
    /// Connects and shakes hands.
    pub(crate) async fn connect(server: &McpServer) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(ours);
        let (their_read, their_write) = tokio::io::split(theirs);
        let (server, stop) = (server.clone(), CancellationToken::new());
        let cancel = stop.clone();
        let serving =
            tokio::spawn(async move { server.serve(their_read, their_write, &cancel).await.unwrap() });
        let mut raw = Self { lines: BufReader::new(read).lines(), write, stop, serving, next_id: 0 };
        let opened = raw
            .ask("initialize", json!({
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "7"},
            }))
            .await;
        assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
        raw.tell("notifications/initialized", json!({})).await;
        raw
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    /// Sends a request and gives its id.
    pub(crate) async fn start(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        id
    }

    /// The next message of the server; `None` when it has closed the connection.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.ok()??;
        Some(serde_json::from_str(&line).unwrap())
    }

    /// Sends a request and gives the answer; what comes between is dropped.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        self.answer_to(id).await
    }

    pub(crate) async fn answer_to(&mut self, id: u64) -> Value {
        loop {
            let message = self.next().await.expect("the server answers");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) async fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments})).await
    }
}

/// The first text of a result.
pub(crate) fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}
