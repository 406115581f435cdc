//! Opening a connection.

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::handler::Handler;
use super::lines::BoundedLines;
use super::process::Process;
use super::{McpClient, Source};

/// How often a connection over HTTP that broke is opened again by itself.
const KEPT_ALIVE: Duration = Duration::from_secs(90);

/// An open connection. Dropping it ends it, and the process behind it.
pub(super) struct Open {
    pub(super) service: RunningService<RoleClient, Handler>,
    pub(super) process: Option<Process>,
}

/// Starts or reaches the server and greets it.
///
/// # Errors
///
/// Says what the server did, as the rest of a sentence that begins with it.
pub(super) async fn open(client: &McpClient, handler: Handler) -> Result<Open, String> {
    match &client.source {
        Source::Process { program, arguments, environment, folder } => {
            let started = Process::start(program, arguments, environment, folder.as_deref());
            let (mut process, stdout, stdin) =
                started.map_err(|error| format!("cannot be started with `{program}`: {error}"))?;
            let transport =
                AsyncRwTransport::new_client(BoundedLines::new(stdout, client.max_message), stdin)
                    .with_max_line_length(usize::MAX);
            match handler.serve(transport).await {
                Ok(service) => Ok(Open { service, process: Some(process) }),
                Err(error) => Err(format!("{}, before it could be used ({error})", process.obituary().await)),
            }
        }
        Source::Url { url, bearer } => {
            let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
            config.auth_header = bearer.clone();
            config.max_sse_event_size = client.max_message;
            config.max_json_response_size = client.max_message;
            let http = reqwest::Client::builder()
                .connect_timeout(client.connect_timeout)
                .pool_idle_timeout(KEPT_ALIVE)
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .map_err(|error| format!("cannot be reached: {error}"))?;
            let transport = StreamableHttpClientTransport::with_client(http, config);
            let service =
                handler.serve(transport).await.map_err(|error| format!("cannot be reached: {error}"))?;
            Ok(Open { service, process: None })
        }
    }
}
