//! Serving over streamable HTTP.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::handler::Handler;
use super::{McpServer, ServeError};

/// Where the endpoint lies.
const PATH: &str = "/mcp";
/// Pages that a browser has loaded from this machine.
const LOOPBACK_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Where a server listens, and whom it lets in.
///
/// On a loopback address it takes requests whose `Host` is a loopback name, and from pages only those of this machine, so
/// that no web page can reach it. On any other address it wants a bearer token and the names that it is reached by.
#[derive(Clone)]
pub struct HttpOptions {
    address: SocketAddr,
    bearer: Option<Arc<str>>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl HttpOptions {
    /// Listens on this machine only; port 0 takes a free one.
    #[must_use]
    pub fn loopback(port: u16) -> Self {
        Self::address((Ipv4Addr::LOCALHOST, port))
    }

    /// Listens on an address.
    #[must_use]
    pub fn address(address: impl Into<SocketAddr>) -> Self {
        Self { address: address.into(), bearer: None, hosts: Vec::new(), origins: Vec::new() }
    }

    /// Lets in only requests that carry this token (`Authorization: Bearer …`).
    #[must_use]
    pub fn bearer(mut self, token: impl Into<Arc<str>>) -> Self {
        self.bearer = Some(token.into());
        self
    }

    /// Adds a name, or `name:port`, that requests may have as their `Host`.
    #[must_use]
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Adds an origin whose pages may send requests, for example `https://app.example.com:443`.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    fn check(&self) -> Result<(), ServeError> {
        let is_open = !self.address.ip().is_loopback();
        let mut missing = Vec::new();
        if is_open && self.bearer.is_none() {
            missing.push("a bearer token");
        }
        if is_open && self.hosts.is_empty() {
            missing.push("the host names that it is reached by");
        }
        if self.bearer.as_deref().is_some_and(str::is_empty) {
            missing.push("a bearer token that is not empty");
        }
        if missing.is_empty() {
            return Ok(());
        }
        Err(ServeError::Options(format!(
            "serving on `{}` needs {}; a loopback address needs neither",
            self.address,
            missing.join(" and ")
        )))
    }
}

/// A server that listens and does not answer yet.
#[derive(Debug)]
pub struct HttpServer {
    server: McpServer,
    options: HttpOptions,
    listener: TcpListener,
    address: SocketAddr,
}

impl McpServer {
    /// Listens for HTTP. The endpoint is `/mcp`.
    ///
    /// # Errors
    ///
    /// When the address cannot be listened on, or is open to other machines without a token and host names.
    pub async fn listen_http(&self, options: HttpOptions) -> Result<HttpServer, ServeError> {
        options.check()?;
        let listener = TcpListener::bind(options.address).await?;
        let address = listener.local_addr()?;
        Ok(HttpServer { server: self.clone(), options, listener, address })
    }
}

impl HttpServer {
    /// The endpoint's address, for clients on this machine.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Answers until `cancel` fires; then calls that run are cancelled and have their grace.
    ///
    /// # Errors
    ///
    /// When the listener breaks.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes all connections and stops the calls that run.
    pub async fn run(self, cancel: &CancellationToken) -> Result<(), ServeError> {
        let stop = cancel.child_token();
        let _stop_when_dropped = stop.clone().drop_guard();
        let serving = axum::serve(self.listener, router(&self.server, &self.options, &stop));
        let grace = self.server.dispatch.grace;
        let serving = serving.with_graceful_shutdown(stop.clone().cancelled_owned());
        let too_late = async {
            stop.cancelled().await;
            tokio::time::sleep(grace.saturating_mul(2)).await;
        };
        tokio::select! {
            served = async { serving.await } => Ok(served?),
            // A client that keeps its stream open does not keep the server.
            () = too_late => Ok(()),
        }
    }
}

fn router(server: &McpServer, options: &HttpOptions, stop: &CancellationToken) -> Router {
    let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let hosts = options
        .hosts
        .iter()
        .cloned()
        .chain(options.address.ip().is_loopback().then_some(loopback).into_iter().flatten());
    let origins = options.origins.iter().cloned().chain(LOOPBACK_ORIGINS.map(str::to_owned));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(server.max_message)
        .with_cancellation_token(stop.clone());
    let server = server.clone();
    let service = StreamableHttpService::new(
        move || Ok(Handler::new(server.clone())),
        LocalSessionManager::default().into(),
        config,
    );
    let router = Router::new().nest_service(PATH, service);
    match &options.bearer {
        None => router,
        Some(token) => router.layer(middleware::from_fn_with_state(Arc::clone(token), guard)),
    }
}

async fn guard(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given =
        request.headers().get(AUTHORIZATION).and_then(|value| value.as_bytes().strip_prefix(b"Bearer "));
    if given.is_some_and(|given| is_equal(given, token.as_bytes())) {
        return next.run(request).await;
    }
    let challenge = (WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    (StatusCode::UNAUTHORIZED, [challenge], "this server wants `Authorization: Bearer TOKEN`").into_response()
}

/// Compares in a time that tells nothing about where the difference lies.
fn is_equal(given: &[u8], wanted: &[u8]) -> bool {
    let difference = given.iter().zip(wanted).fold(0, |difference, (a, b)| difference | (a ^ b));
    given.len() == wanted.len() && difference == 0
}

impl std::fmt::Debug for HttpOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpOptions")
            .field("address", &self.address)
            .field("hosts", &self.hosts)
            .finish_non_exhaustive()
    }
}
