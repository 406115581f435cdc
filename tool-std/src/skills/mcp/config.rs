//! The configuration that `mcporter` reads, for one execution.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Map, Value, json};
use tempfile::TempPath;

use super::{McpServer, McpTransport};

/// The variable that tells `mcporter` its only configuration.
const VARIABLE: &str = "MCPORTER_CONFIG";

/// A configuration file of one execution. It is removed when this is dropped.
///
/// It is written also for no servers, and imports nothing, so that no configuration that lies elsewhere is read. It holds no
/// secret: a token stands there as the name of its variable, which `mcporter` reads from the environment of the command.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (root, private) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// use tool_std::skills::{McpConfig, Skills};
///
/// let skills = Skills::from_roots([root.path()]);
/// let config = McpConfig::write(&skills.mcp_servers()?, private.path())?;
/// let (name, path) = config.variable();
/// assert_eq!(name, "MCPORTER_CONFIG");
/// assert!(std::path::Path::new(&path).exists());
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct McpConfig {
    path: TempPath,
}

impl McpConfig {
    /// Writes a new file with a random name into `folder`, which this user alone may read. The commands must see the folder
    /// under the same path. Blocks.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or the folder's real path is no text in UTF-8.
    pub fn write(servers: &[McpServer], folder: impl AsRef<Path>) -> io::Result<Self> {
        // Commands may run in another folder than this process.
        let folder = folder.as_ref().canonicalize()?;
        let Some(folder) = folder.to_str() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the folder's path is not UTF-8"));
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix("mcporter-").suffix(".json").rand_bytes(16).permissions(Permissions::from_mode(0o600));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(render(servers).as_bytes())?;
        Ok(Self { path: file.into_temp_path() })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The variable of the commands' environment that leads `mcporter` to it, and its value.
    #[must_use]
    pub fn variable(&self) -> (&'static str, String) {
        (VARIABLE, self.path.to_string_lossy().into_owned())
    }

    /// Removes it.
    ///
    /// # Errors
    ///
    /// When it cannot be removed. Dropping tries too and says nothing.
    pub fn remove(self) -> io::Result<()> {
        self.path.close()
    }
}

/// The configuration as text: the same for the same servers.
fn render(servers: &[McpServer]) -> String {
    let mut sorted: Vec<_> = servers.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let entries: Map<_, _> = sorted.into_iter().map(|server| (server.name.clone(), entry(server))).collect();
    format!("{:#}\n", json!({ "mcpServers": entries, "imports": [] }))
}

fn entry(server: &McpServer) -> Value {
    let mut entry = Map::new();
    let mut put = |key: &str, value: Value| entry.insert(key.to_owned(), value);
    if let Some(description) = &server.description {
        put("description", json!(description));
    }
    match &server.transport {
        McpTransport::StreamableHttp { url, protocol_version, bearer_token_env_var } => {
            put("baseUrl", json!(url));
            if let Some(version) = protocol_version {
                put("protocolVersion", json!(version));
            }
            if let Some(variable) = bearer_token_env_var {
                put("bearerToken", json!(format!("${{{variable}}}")));
            }
        }
        McpTransport::Stdio { command } => {
            put("command", json!("/bin/sh"));
            put("args", json!(["-lc", command]));
        }
    }
    // Some servers are known to `mcporter` as ones to be kept running by a process of its own.
    put("lifecycle", json!("ephemeral"));
    // It takes one of the two filters, not both.
    match (&server.enabled_tools, &server.disabled_tools) {
        (Some(enabled), disabled) => {
            let is_disabled =
                |tool: &String| disabled.as_ref().is_some_and(|disabled| disabled.contains(tool));
            let allowed: Vec<_> = enabled.iter().filter(|tool| !is_disabled(tool)).collect();
            put("allowedTools", json!(allowed));
        }
        (None, Some(disabled)) => {
            put("blockedTools", json!(disabled));
        }
        (None, None) => {}
    }
    Value::Object(entry)
}
