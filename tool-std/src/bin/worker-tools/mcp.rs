//! `worker-tools mcp`: the tools of somebody else's MCP server.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use tool_runtime::ToolSet;
use tool_runtime::mcp::{Imported, McpClient};

use crate::attend::block_on;
use crate::call::Call;
use crate::failure::Failure;
use crate::list::List;
use crate::token::token;

const LIST_EXAMPLES: &str = "Examples:
  worker-tools mcp list -- npx -y @modelcontextprotocol/server-everything
  worker-tools mcp list --json --url http://127.0.0.1:8000/mcp";

const CALL_EXAMPLES: &str = r#"Examples:
  worker-tools mcp call echo '{"message": "hi"}' --yes -- npx -y @modelcontextprotocol/server-everything
  worker-tools mcp call read_file '{"path": "README.md"}' --trust --url http://127.0.0.1:8000/mcp"#;

/// Look at the tools of an MCP server, or call one
#[derive(Args)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the tools of a server, and what of them cannot be used
    #[command(name = "list", after_help = LIST_EXAMPLES)]
    ListTools {
        #[command(flatten)]
        list: List,
        #[command(flatten)]
        server: Server,
    },
    /// Call a tool of a server: arguments are checked by its schema before they leave
    #[command(name = "call", after_help = CALL_EXAMPLES)]
    CallTool {
        #[command(flatten)]
        call: Call,
        #[command(flatten)]
        server: Server,
    },
}

/// The server that is asked.
#[derive(Args)]
#[command(next_help_heading = "The server")]
struct Server {
    /// A server that is reached over HTTP
    #[arg(long, conflicts_with = "command")]
    url: Option<String>,

    /// The environment variable that holds the token to send
    #[arg(long, value_name = "VARIABLE", requires = "url")]
    token_env: Option<String>,

    /// Take the server's word for which of its tools only read or may destroy something
    #[arg(long)]
    trust: bool,

    /// The program to start as the server, with its arguments
    #[arg(last = true, required_unless_present = "url")]
    command: Vec<String>,
}

impl Mcp {
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self.what {
            What::ListTools { list, server } => block_on(async {
                let (imported, set) = server.connect().await?;
                let listed = list.print(&set);
                imported.close().await;
                listed
            })?,
            What::CallTool { call, server } => block_on(async {
                let (imported, set) = server.connect().await?;
                let called = call.run_on(&set).await;
                imported.close().await;
                called
            })?,
        }
    }
}

impl Server {
    async fn connect(self) -> Result<(Imported, ToolSet), Failure> {
        let client = self.client()?.trust_annotations(self.trust);
        let imported = client.connect().await.map_err(|error| error.to_string())?;
        for left_out in imported.left_out() {
            say!("worker-tools: {left_out}");
        }
        let set = ToolSet::new(imported.tools()).map_err(|error| error.to_string())?;
        Ok((imported, set))
    }

    fn client(&self) -> Result<McpClient, Failure> {
        if let Some(url) = &self.url {
            let client = McpClient::url("server", url);
            let Some(variable) = &self.token_env else { return Ok(client) };
            return Ok(client.bearer(token(variable)?));
        }
        let Some((program, arguments)) = self.command.split_first() else {
            return Err("give the server's program after `--`, or its address with `--url`"
                .to_owned()
                .into());
        };
        let name = Path::new(program).file_stem().map_or("server".into(), |name| name.to_string_lossy());
        Ok(McpClient::command(name, program, arguments))
    }
}
