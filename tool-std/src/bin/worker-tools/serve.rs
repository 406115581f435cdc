//! `worker-tools serve`: the tools of a turn for any MCP host.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use tool_runtime::mcp::{HttpOptions, McpServer};
use tool_runtime::{CancellationToken, WorkerAgentTool};
use tool_std::todo::TodoStore;
use tool_std::turn::main_turn_tools;

use crate::attend::{block_on, until_stopped};
use crate::failure::Failure;
use crate::token::token;
use crate::turn_options::{TurnOptions, named};

const EXAMPLES: &str = "Examples:
  worker-tools serve --workspace ~/project
  worker-tools serve --tools read_file,grep,ls
  worker-tools serve --read-only --http 127.0.0.1:8000
  TOKEN=… worker-tools serve --http 0.0.0.0:8000 --host tools.example.com --token-env TOKEN

What a host wants in its configuration:
  {\"mcpServers\": {\"worker-tools\": {\"command\": \"worker-tools\", \"args\": [\"serve\", \"--workspace\", \"/home/me/project\"]}}}";

/// Serve the tools of a turn by the Model Context Protocol
///
/// Speaks over standard input and output, or over HTTP. Each connection has a plan of its own. The host decides which calls
/// it asks its user about: every tool says whether it only reads and whether it may destroy something.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Listen for HTTP on this address; the endpoint is `/mcp`
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,

    /// Serve only these tools
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    tools: Vec<String>,

    /// Leave out every tool that may change something
    #[arg(long)]
    read_only: bool,

    /// A name that requests may have as their host; needed for an address that is not this machine's own
    #[arg(long, value_name = "NAME", requires = "http")]
    host: Vec<String>,

    /// The environment variable that holds the token which requests have to carry
    #[arg(long, value_name = "VARIABLE", requires = "http")]
    token_env: Option<String>,
}

impl Serve {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let set = turn.tools()?;
        for name in &self.tools {
            named(&set, name)?;
        }
        let options = self.http.map(|address| self.options(address)).transpose()?;
        let (context, wanted, read_only) = (turn.context()?, self.tools, self.read_only);
        let server = McpServer::new("worker-tools", env!("CARGO_PKG_VERSION"), move |_| {
            let is_wanted = |tool: &WorkerAgentTool| {
                let spec = tool.spec();
                let name = spec.display_name();
                (wanted.is_empty() || wanted.iter().any(|wanted| *wanted == name))
                    && (spec.read_only || !read_only)
            };
            main_turn_tools(&context.clone().todo(TodoStore::new())).into_iter().filter(is_wanted).collect()
        });
        let server = server.map_err(|error| error.to_string())?;
        block_on(serve(server, options))?
    }

    fn options(&self, address: SocketAddr) -> Result<HttpOptions, Failure> {
        let mut options = HttpOptions::address(address);
        for host in &self.host {
            options = options.host(host);
        }
        if let Some(variable) = &self.token_env {
            options = options.bearer(token(variable)?);
        }
        Ok(options)
    }
}

async fn serve(server: McpServer, options: Option<HttpOptions>) -> Result<ExitCode, Failure> {
    let stop = CancellationToken::new();
    let serving = async {
        match options {
            None => server.serve_stdio(&stop).await,
            Some(options) => {
                let listening = server.listen_http(options).await?;
                say!("worker-tools: serving on {}", listening.url());
                listening.run(&stop).await
            }
        }
    };
    until_stopped(serving, &stop).await?.map_err(|error| error.to_string())?;
    Ok(ExitCode::SUCCESS)
}
