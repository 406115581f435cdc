//! Serving tools: what every transport shares.

mod call;
mod connection;
mod handler;
mod http;
mod progress;
mod stdio;

pub use connection::Connection;
pub use http::{HttpOptions, HttpServer};

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use tokio::sync::{Semaphore, watch};

use crate::dispatch::DispatchOptions;
use crate::set::{ToolSet, ToolSetError};
use crate::tool::WorkerAgentTool;

/// The most bytes of one message in either direction, unless set otherwise.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// How many tools a page of the list holds.
const PAGE: usize = 100;
/// How many calls run at once over all connections.
const MAX_CALLS: usize = 256;

type MakeTools = dyn Fn(&Connection) -> Vec<WorkerAgentTool> + Send + Sync;

/// Serves tools by the Model Context Protocol, over standard input and output or over HTTP.
///
/// ```no_run
/// use tool_runtime::mcp::McpServer;
/// use tool_runtime::{CancellationToken, tools, worker_tool};
///
/// /// Adds two numbers.
/// #[worker_tool(read_only, parallel)]
/// async fn add(#[param] a: i64, #[param] b: i64) -> i64 {
///     a + b
/// }
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let server = McpServer::new("calculator", "1.0.0", |_| tools![add])?;
/// server.serve_stdio(&CancellationToken::new()).await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct McpServer {
    tools: Arc<MakeTools>,
    info: Implementation,
    instructions: Option<Cow<'static, str>>,
    call_timeout: Option<Duration>,
    max_message: usize,
    page: usize,
    dispatch: DispatchOptions,
    calls: Arc<Semaphore>,
    changes: watch::Sender<u64>,
}

/// Tells a server that its tools have changed: each connection makes its list anew, and its client is told.
#[derive(Clone)]
pub struct ToolsChanged {
    changes: watch::Sender<u64>,
}

impl ToolsChanged {
    /// The tools have changed.
    pub fn notify(&self) {
        self.changes.send_modify(|revision| *revision += 1);
    }
}

/// Why a server could not go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on, or the connection broke.
    Io(std::io::Error),
    /// The client did not open the connection as the protocol says.
    Handshake(String),
    /// The options contradict each other, or open a door that nobody guards.
    Options(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Handshake(reason) => {
                write!(f, "the client did not open the connection as MCP says: {reason}")
            }
            Self::Options(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<std::io::Error> for ServeError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl McpServer {
    /// A server that calls itself `name` in `version`. `tools` makes the list of one connection, and makes it anew after
    /// [`ToolsChanged::notify`]; over HTTP a client without a session makes one with each request.
    ///
    /// # Errors
    ///
    /// When the tools of a connection without a client are no set; lists all faults.
    pub fn new(
        name: impl Into<String>,
        version: impl Into<String>,
        tools: impl Fn(&Connection) -> Vec<WorkerAgentTool> + Send + Sync + 'static,
    ) -> Result<Self, ToolSetError> {
        ToolSet::new(tools(&Connection::none()))?;
        Ok(Self {
            tools: Arc::new(tools),
            info: Implementation::new(name, version),
            instructions: None,
            call_timeout: None,
            max_message: MAX_MESSAGE,
            page: PAGE,
            dispatch: DispatchOptions::default(),
            calls: Arc::new(Semaphore::new(MAX_CALLS)),
            changes: watch::Sender::new(0),
        })
    }

    /// Sets what hosts may tell their model about the server as a whole.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<Cow<'static, str>>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Sets the name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.info.title = Some(title.into());
        self
    }

    /// Limits the time of each call, beside the limits of the tools themselves. None by default.
    #[must_use]
    pub fn call_timeout(mut self, limit: Duration) -> Self {
        self.call_timeout = Some(limit);
        self
    }

    /// Limits one message, in bytes; 16 MiB by default. A longer request is refused, a longer result is an error result.
    #[must_use]
    pub fn max_message(mut self, bytes: usize) -> Self {
        self.max_message = bytes;
        self
    }

    /// Sets how many tools a page of the list holds; 100 by default, at least 1.
    #[must_use]
    pub fn page_size(mut self, tools: usize) -> Self {
        self.page = tools.max(1);
        self
    }

    /// Limits how many calls run at once over all connections; the others wait. 256 by default, at least 1.
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.calls = Arc::new(Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)));
        self
    }

    /// Sets how calls are run: the grace of cancelled ones, the bounds on repairs.
    #[must_use]
    pub fn dispatch_options(mut self, options: DispatchOptions) -> Self {
        self.dispatch = options;
        self
    }

    /// Tells the connections that the tools have changed.
    #[must_use]
    pub fn tools_changed(&self) -> ToolsChanged {
        ToolsChanged { changes: self.changes.clone() }
    }

    fn config(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        let config = ServerConfig::new(capabilities).with_server_info(self.info.clone());
        match &self.instructions {
            Some(instructions) => config.with_instructions(instructions.clone()),
            None => config,
        }
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer").field("info", &self.info).finish_non_exhaustive()
    }
}

impl fmt::Debug for ToolsChanged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolsChanged").finish_non_exhaustive()
    }
}
