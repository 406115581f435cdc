//! How a fetcher is made.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::{Certificate, Client, redirect};

use super::super::fetch::{FetchError, FetchErrorKind};
use super::guard::{Guard, Resolver, SystemResolver};
use super::robots::Robots;
use super::{HttpFetch, Limits, Shared};

/// The default of [`HttpFetchBuilder::time`].
pub const PAGE_TIME: Duration = Duration::from_secs(30);
/// The default of [`HttpFetchBuilder::max_body`], in bytes.
pub const MAX_BODY: usize = 8 * 1024 * 1024;
/// The default of [`HttpFetchBuilder::max_redirects`].
pub const MAX_REDIRECTS: usize = 5;
/// How long making a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// What the server is told, unless there is another name.
const USER_AGENT: &str = concat!("tool-std/", env!("CARGO_PKG_VERSION"));

/// What kinds of addresses are fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schemes {
    /// `https` only.
    #[default]
    HttpsOnly,
    /// `http` too, which anyone on the way can read and change.
    HttpAndHttps,
}

/// A fetcher that is being made.
#[must_use]
pub struct HttpFetchBuilder {
    schemes: Schemes,
    limits: Limits,
    resolver: Arc<dyn Resolver>,
    named: Vec<IpAddr>,
    authorities: Vec<Vec<u8>>,
    user_agent: String,
    honours_robots: bool,
}

/// The certificate authorities that are trusted beside those of the system.
pub(super) struct Trusted(Vec<Certificate>);

impl HttpFetchBuilder {
    pub(super) fn new() -> Self {
        Self {
            schemes: Schemes::HttpsOnly,
            limits: Limits { time: PAGE_TIME, body: MAX_BODY, redirects: MAX_REDIRECTS },
            resolver: Arc::new(SystemResolver),
            named: Vec::new(),
            authorities: Vec::new(),
            user_agent: USER_AGENT.to_owned(),
            honours_robots: false,
        }
    }

    /// Sets what kinds of addresses are fetched; `https` only by default.
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.schemes = schemes;
        self
    }

    /// Lets `address` be reached although it is not public, for servers of one's own. Where clouds keep the secrets of a
    /// machine (`169.254.169.254` and the like) is never reached.
    pub fn reach(mut self, address: IpAddr) -> Self {
        self.named.push(address);
        self
    }

    /// Sets who finds the addresses of names; this machine by default. What it finds is checked as any address.
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Trusts this certificate authority too, beside those of the system: one or more certificates as PEM.
    pub fn trust(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.authorities.push(pem.into());
        self
    }

    /// Sets how long one page may take, with all its redirects; [`PAGE_TIME`] by default.
    pub fn time(mut self, time: Duration) -> Self {
        self.limits.time = time;
        self
    }

    /// Sets how many bytes a page may have, unpacked; [`MAX_BODY`] by default.
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.limits.body = bytes;
        self
    }

    /// Sets how many redirects are followed; [`MAX_REDIRECTS`] by default.
    pub fn max_redirects(mut self, redirects: usize) -> Self {
        self.limits.redirects = redirects;
        self
    }

    /// Sets what the server is told of who asks. The part before a `/` is the name that `robots.txt` may have rules for.
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Fetches only what the site's `robots.txt` allows. It is not asked by default: a page that a person asked for is no
    /// crawl.
    pub fn honour_robots(mut self) -> Self {
        self.honours_robots = true;
        self
    }

    /// The fetcher.
    ///
    /// # Errors
    ///
    /// When a certificate authority cannot be read.
    pub fn build(self) -> Result<HttpFetch, FetchError> {
        let mut trusted = Vec::new();
        for pem in &self.authorities {
            let refused = |why: String| {
                FetchError::new(FetchErrorKind::Refused, format!("the certificate authority to trust {why}"))
            };
            let certificates = Certificate::from_pem_bundle(pem)
                .map_err(|error| refused(format!("cannot be read: {error}")))?;
            if certificates.is_empty() {
                return Err(refused("holds no certificate: give it as PEM".to_owned()));
            }
            trusted.extend(certificates);
        }
        Ok(self.finish(trusted))
    }

    pub(super) fn finish(self, trusted: Vec<Certificate>) -> HttpFetch {
        let Self { schemes, limits, resolver, named, user_agent, honours_robots, .. } = self;
        let shared = Shared {
            guard: Guard::new(resolver, named),
            trusted: Trusted(trusted),
            schemes,
            limits,
            robots: honours_robots.then(|| Robots::of(&user_agent)),
            user_agent,
            client: OnceLock::new(),
        };
        HttpFetch { shared: Arc::new(shared) }
    }
}

impl Trusted {
    pub(super) fn client(&self, guard: Guard, user_agent: &str) -> reqwest::Result<Client> {
        Client::builder()
            .user_agent(user_agent)
            .connect_timeout(CONNECT_TIME)
            .dns_resolver(Arc::new(guard))
            .no_proxy()
            // Each is checked before it is followed.
            .redirect(redirect::Policy::none())
            .tls_certs_merge(self.0.iter().cloned())
            .build()
    }
}
