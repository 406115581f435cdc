//! Taking in the tools of a server.

mod call;
mod handler;
mod lines;
mod link;
mod process;
mod remote_tools;
mod transport;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::spec::Namespace;
use crate::tool::WorkerAgentTool;

use link::Link;
use remote_tools::RemoteTools;

/// The most bytes of one message from a server, unless set otherwise.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// The most tools that are taken from one server, unless set otherwise.
const MAX_TOOLS: usize = 1_000;

/// A server whose tools join a turn as tools of our own.
///
/// Each tool keeps its raw schema, which is enforced here before a call leaves. What a server says about its tools is not
/// trusted: unless [`trust_annotations`](Self::trust_annotations) is set, each counts as destructive and runs alone.
///
/// ```no_run
/// use tool_runtime::ToolSet;
/// use tool_runtime::mcp::McpClient;
///
/// # async fn import() -> Result<(), Box<dyn std::error::Error>> {
/// let files = McpClient::command("files", "npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]).connect().await?;
/// for left_out in files.left_out() {
///     eprintln!("{left_out}");
/// }
/// let set = ToolSet::new(files.tools())?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct McpClient {
    name: String,
    source: Source,
    namespace: Option<Namespace>,
    defer_loading: bool,
    trust: Trust,
    call_timeout: Duration,
    connect_timeout: Duration,
    max_message: usize,
    max_tools: usize,
}

/// How a server is reached.
#[derive(Clone)]
enum Source {
    Process {
        program: String,
        arguments: Vec<String>,
        environment: BTreeMap<String, String>,
        folder: Option<PathBuf>,
    },
    Url {
        url: String,
        bearer: Option<String>,
    },
}

/// Whether the flags of tools follow what the server says of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Nothing,
    Annotations,
}

impl McpClient {
    /// A server that runs as a child process and speaks over its standard input and output. It gets `PATH`, `HOME`, `LANG`,
    /// `USER` and `TMPDIR` of this process and nothing else; see [`env`](Self::env).
    pub fn command<A: Into<String>>(
        name: impl Into<String>,
        program: impl Into<String>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        let source = Source::Process {
            program: program.into(),
            arguments,
            environment: BTreeMap::new(),
            folder: None,
        };
        Self::new(name.into(), source)
    }

    /// A server that is reached over HTTP.
    pub fn url(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(name.into(), Source::Url { url: url.into(), bearer: None })
    }

    fn new(name: String, source: Source) -> Self {
        Self {
            name,
            source,
            namespace: None,
            defer_loading: false,
            trust: Trust::Nothing,
            call_timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(30),
            max_message: MAX_MESSAGE,
            max_tools: MAX_TOOLS,
        }
    }

    /// Sets an environment variable of the child process.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Source::Process { environment, .. } = &mut self.source {
            environment.insert(name.into(), value.into());
        }
        self
    }

    /// Sets the folder in which the child process runs.
    #[must_use]
    pub fn current_dir(mut self, path: impl Into<PathBuf>) -> Self {
        if let Source::Process { folder, .. } = &mut self.source {
            *folder = Some(path.into());
        }
        self
    }

    /// Sets the token that is sent with each HTTP request. It stands in no log and no error.
    #[must_use]
    pub fn bearer(mut self, token: impl Into<String>) -> Self {
        if let Source::Url { bearer, .. } = &mut self.source {
            *bearer = Some(token.into());
        }
        self
    }

    /// Puts the tools into this namespace. Without it, one is made of the server's name and instructions.
    #[must_use]
    pub fn namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = Some(namespace);
        self
    }

    /// Keeps the parameters of the tools behind tool search until they are selected.
    #[must_use]
    pub fn defer_loading(mut self, defer: bool) -> Self {
        self.defer_loading = defer;
        self
    }

    /// Takes the server's word for which of its tools only read, may destroy, or may be repeated. Only those that only read
    /// run beside others.
    #[must_use]
    pub fn trust_annotations(mut self, trust: bool) -> Self {
        self.trust = if trust { Trust::Annotations } else { Trust::Nothing };
        self
    }

    /// Limits one call; one minute by default.
    #[must_use]
    pub fn call_timeout(mut self, limit: Duration) -> Self {
        self.call_timeout = limit;
        self
    }

    /// Limits the time until the server has answered the first request and listed its tools; half a minute by default.
    #[must_use]
    pub fn connect_timeout(mut self, limit: Duration) -> Self {
        self.connect_timeout = limit;
        self
    }

    /// Limits one message of the server, in bytes; 16 MiB by default. A longer one ends the connection.
    #[must_use]
    pub fn max_message(mut self, bytes: usize) -> Self {
        self.max_message = bytes;
        self
    }

    /// Limits how many tools are taken; 1,000 by default. The others are reported as left out.
    #[must_use]
    pub fn max_tools(mut self, tools: usize) -> Self {
        self.max_tools = tools;
        self
    }

    /// Starts or reaches the server and lists its tools.
    ///
    /// # Errors
    ///
    /// When the server cannot be started or reached, does not speak the protocol, or does not answer in time.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the connection and the child process.
    pub async fn connect(self) -> Result<Imported, McpError> {
        let link = Arc::new(Link::new(self));
        let remote = remote_tools::list(&link).await?;
        Ok(Imported { link, remote })
    }
}

/// The tools of a server. The connection lasts as long as this or one of the tools; a child process ends with it.
pub struct Imported {
    link: Arc<Link>,
    remote: RemoteTools,
}

impl Imported {
    /// The tools, in the server's order.
    #[must_use]
    pub fn tools(&self) -> Vec<WorkerAgentTool> {
        self.remote.tools.clone()
    }

    /// What the server offers and cannot be used, with the reason.
    #[must_use]
    pub fn left_out(&self) -> &[LeftOut] {
        &self.remote.left_out
    }

    /// Waits until the server says that its list has changed. Then [`refresh`](Self::refresh) before the next turn.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub async fn changed(&mut self) {
        self.link.list_changed(self.remote.revision).await;
    }

    /// Lists the server's tools anew. Tools of the earlier list keep working as far as the server takes their calls.
    ///
    /// # Errors
    ///
    /// When the server cannot be reached or does not answer in time; the earlier list stays.
    pub async fn refresh(&mut self) -> Result<(), McpError> {
        self.remote = remote_tools::list(&self.link).await?;
        Ok(())
    }

    /// Ends the connection: a child process is asked to end by closing its input, then by signals. Calls that run fail.
    pub async fn close(self) {
        self.link.close().await;
    }
}

/// A tool that a server offers and that is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The server, as we call it.
    pub server: String,
    /// The tool, as the server calls it.
    pub tool: String,
    /// Why it is not taken.
    pub reason: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tool `{}` of the server `{}` is left out: {}", self.tool, self.server, self.reason)
    }
}

/// Why a server cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpError {
    /// The server, as we call it.
    pub server: String,
    /// What is wrong, with the last words of a process that ended.
    pub reason: String,
}

impl fmt::Display for McpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the MCP server `{}` {}", self.server, self.reason)
    }
}

impl std::error::Error for McpError {}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Imported").field("tools", &self.remote.tools).finish_non_exhaustive()
    }
}
