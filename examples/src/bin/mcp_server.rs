//! Serves three tools to any MCP host, over standard input and output; with an address as its argument, over HTTP.
//!
//! `cargo run -p examples --features mcp --bin mcp_server` is what a host starts. With `127.0.0.1:8000` behind it, the tools are
//! at `http://127.0.0.1:8000/mcp`.

use std::net::SocketAddr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use tool_runtime::mcp::{HttpOptions, McpServer};
use tool_runtime::{CancellationToken, Json, Progress, ToolContext, ToolError, tools, worker_tool};

/// The sum and the mean of some numbers.
#[derive(Serialize, JsonSchema)]
struct Summary {
    sum: f64,
    mean: f64,
}

/// Sums up numbers.
#[worker_tool(read_only, parallel, open_world = false, title = "Summary")]
async fn summarize(
    /// At least one.
    #[param]
    #[schemars(length(min = 1))]
    numbers: Vec<f64>,
) -> Json<Summary> {
    let sum: f64 = numbers.iter().sum();
    Json(Summary { sum, mean: sum / numbers.len() as f64 })
}

/// Counts up to a number, a tenth of a second each, and tells how far it is.
#[worker_tool(read_only, parallel, open_world = false)]
async fn count(
    #[param]
    #[schemars(range(min = 1, max = 600))]
    to: u32,
    cx: ToolContext,
) -> Result<String, ToolError> {
    for step in 1..=to {
        tokio::select! {
            () = cx.cancellation().cancelled() => return Err(ToolError::new(format!("stopped before {step}"))),
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
        cx.progress(Progress::steps(step.into(), to.into()));
    }
    Ok(format!("counted to {to}"))
}

/// Fails, and says so.
#[worker_tool(destructive = false)]
async fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("the disk is full: remove something and call again"))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = McpServer::new("examples", env!("CARGO_PKG_VERSION"), |_| tools![summarize, count, fail])?;
    let stop = CancellationToken::new();
    match std::env::args().nth(1) {
        None => server.serve_stdio(&stop).await?,
        Some(address) => {
            let listening = server.listen_http(HttpOptions::address(address.parse::<SocketAddr>()?)).await?;
            eprintln!("listening on {}", listening.url());
            listening.run(&stop).await?;
        }
    }
    Ok(())
}
