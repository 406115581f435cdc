//! How a client is made.

use std::fmt;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Client, Url, redirect};

use crate::provider::sse;

use super::key::{ApiKey, HttpModelError};
use super::secrets::Secrets;
use super::wire::Wire;
use super::{HttpModel, Shared, Sizes, Times};

/// The default of [`HttpModelBuilder::max_answer`], in bytes.
pub const MAX_ANSWER: usize = 256 * 1024 * 1024;

/// A client that is being made.
#[must_use]
pub struct HttpModelBuilder {
    wire: Box<dyn Wire>,
    base_url: Option<String>,
    key: Option<ApiKey>,
    headers: Vec<(String, String)>,
    times: Times,
    limits: Sizes,
    proxy: Proxy,
    authorities: Vec<Vec<u8>>,
}

/// Whether a proxy that the environment names is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proxy {
    AsEnvironment,
    Never,
}

impl HttpModelBuilder {
    pub(super) fn new(wire: Box<dyn Wire>) -> Self {
        Self {
            wire,
            base_url: None,
            key: None,
            headers: Vec::new(),
            times: Times {
                connect: Duration::from_secs(10),
                answer: Duration::from_secs(600),
                idle: Duration::from_secs(300),
                total: Duration::from_secs(3_600),
            },
            limits: Sizes { answer: MAX_ANSWER, sse: sse::Limits::default() },
            proxy: Proxy::AsEnvironment,
            authorities: Vec::new(),
        }
    }

    /// Sets where the API is, up to the part that all its paths have in common: `https://api.openai.com/v1`,
    /// `http://localhost:8080/v1`. What stands behind `?` goes with every request. The provider's own API by default.
    pub fn base_url(mut self, base_url: impl Into<String>) -> Self {
        self.base_url = Some(base_url.into());
        self
    }

    /// Sets the key. It goes into the header that the format has for it. Servers of one's own may need none.
    pub fn key(mut self, key: ApiKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Adds a header to every request, or replaces one that would be sent anyway. Its value is shown nowhere.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets how long making a connection may take, TLS included; 10 seconds by default.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.times.connect = timeout;
        self
    }

    /// Sets how long the server may take to begin its answer; 10 minutes by default. A server that does not stream begins
    /// when the model is done.
    pub fn answer_timeout(mut self, timeout: Duration) -> Self {
        self.times.answer = timeout;
        self
    }

    /// Sets how long nothing may come once the answer has begun; 5 minutes by default.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.times.idle = timeout;
        self
    }

    /// Sets how long one request may take in all, however much comes; an hour by default.
    pub fn total_timeout(mut self, timeout: Duration) -> Self {
        self.times.total = timeout;
        self
    }

    /// Sets how many bytes an answer may have, unpacked; [`MAX_ANSWER`] by default.
    pub fn max_answer(mut self, bytes: usize) -> Self {
        self.limits.answer = bytes;
        self
    }

    /// Sets how long a line and an event of a stream may be.
    pub fn sse_limits(mut self, limits: sse::Limits) -> Self {
        self.limits.sse = limits;
        self
    }

    /// Does without the proxy that the environment may name (`HTTPS_PROXY` and the like).
    pub fn without_proxy(mut self) -> Self {
        self.proxy = Proxy::Never;
        self
    }

    /// Trusts this certificate authority too, beside those of the system: one or more certificates as PEM. For servers whose
    /// certificates a company makes itself.
    pub fn trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.authorities.push(pem.into());
        self
    }

    /// The client.
    ///
    /// # Errors
    ///
    /// When the address is none, has another scheme than `http` and `https`, or holds a user or password; when a header or
    /// the key cannot be sent; when a certificate authority cannot be read, or the system's cannot be used.
    pub fn build(self) -> Result<HttpModel, HttpModelError> {
        let url = self.url()?;
        let headers = self.all_headers()?;
        let mut client = Client::builder()
            .user_agent(concat!("tool-runtime/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(self.times.connect)
            // A body is not to be sent to where nobody pointed, and a key even less.
            .redirect(redirect::Policy::none());
        if self.proxy == Proxy::Never {
            client = client.no_proxy();
        }
        for pem in &self.authorities {
            client = client.tls_certs_merge(certificates(pem)?);
        }
        let client = client.build().map_err(|error| {
            HttpModelError::new(format!("there is no HTTP client to be had: {}", error.without_url()))
        })?;
        let Self { wire, key, headers: extra, times, limits, .. } = self;
        let key = key.into_iter().map(|key| key.reveal().to_owned());
        let secrets = Secrets::new(key.chain(extra.into_iter().map(|(_, value)| value)));
        let shared = Shared { wire, client, url, headers, secrets, times, limits };
        Ok(HttpModel { shared: shared.into() })
    }

    /// The address of all requests.
    fn url(&self) -> Result<Url, HttpModelError> {
        // An address that is wrong is not repeated: it may hold a secret.
        let refused = |why: &str| HttpModelError::new(format!("the base address {why}"));
        let base = self.base_url.as_deref().unwrap_or(self.wire.facts().base_url);
        let mut url = Url::parse(base)
            .map_err(|error| refused(&format!("cannot be read: {error}; it is like `https://host/v1`")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused(&format!("has the scheme `{}`: use `https` or `http`", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("holds a user or a password: give a key or a header instead"));
        }
        if url.fragment().is_some() {
            return Err(refused("holds a `#`: leave out what begins with it"));
        }
        let path = self.wire.path();
        let (path, query) = path.split_once('?').unwrap_or((&path, ""));
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        let query = match (url.query(), query) {
            (Some(own), "") => own.to_owned(),
            (Some(own), more) => format!("{own}&{more}"),
            (None, more) => more.to_owned(),
        };
        url.set_query(Some(query.as_str()).filter(|query| !query.is_empty()));
        Ok(url)
    }

    fn all_headers(&self) -> Result<HeaderMap, HttpModelError> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let accept =
            if self.wire.streams() { "text/event-stream, application/json" } else { "application/json" };
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        let facts = self.wire.facts();
        for (name, value) in facts.headers {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = &self.key {
            let (name, before) = facts.key;
            let value = format!("{before}{}", key.reveal());
            let cannot =
                || HttpModelError::new("the key cannot be sent: it holds characters that no header may have");
            headers.insert(HeaderName::from_static(name), hidden(&value).ok_or_else(cannot)?);
        }
        for (name, value) in &self.headers {
            let refused = |what: &str| {
                HttpModelError::new(format!(
                    "the header `{name}` cannot be sent: its {what} holds characters that it may not have"
                ))
            };
            let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused("name"))?;
            headers.insert(key, hidden(value).ok_or_else(|| refused("value"))?);
        }
        Ok(headers)
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<Certificate>, HttpModelError> {
    let refused = |why: &str| HttpModelError::new(format!("the certificate authority to trust {why}"));
    let certificates =
        Certificate::from_pem_bundle(pem).map_err(|error| refused(&format!("cannot be read: {error}")))?;
    if certificates.is_empty() {
        return Err(refused(
            "holds no certificate: give it as PEM, which begins with `-----BEGIN CERTIFICATE-----`",
        ));
    }
    Ok(certificates)
}

/// A value that nothing below shows either.
fn hidden(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl fmt::Debug for HttpModelBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("HttpModelBuilder")
            .field("model", &self.wire.model())
            .field("key", &self.key)
            .field("headers", &names)
            .field("times", &self.times)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
