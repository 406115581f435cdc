//! What the maker of a connection's tools knows about it.

use axum::http::HeaderMap;
use axum::http::request::Parts;
use rmcp::model::Implementation;
use rmcp::service::{RequestContext, RoleServer};

/// The connection that tools are made for. What a client says of itself is not to be trusted; what an authenticating proxy
/// puts into a header may be.
#[derive(Clone, Debug)]
pub struct Connection {
    client: Option<Implementation>,
    headers: HeaderMap,
}

impl Connection {
    pub(super) fn none() -> Self {
        Self { client: None, headers: HeaderMap::new() }
    }

    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let headers = context.extensions.get::<Parts>().map(|parts| parts.headers.clone());
        Self { client: context.client_info(), headers: headers.unwrap_or_default() }
    }

    /// The name that the client gives itself.
    #[must_use]
    pub fn client_name(&self) -> Option<&str> {
        self.client.as_ref().map(|client| client.name.as_str())
    }

    /// The version that the client gives itself.
    #[must_use]
    pub fn client_version(&self) -> Option<&str> {
        self.client.as_ref().map(|client| client.version.as_str())
    }

    /// A header of the request that opened the connection; over HTTP only.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
