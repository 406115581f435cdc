//! Pages over HTTP, from public addresses only.

mod address;
mod body;
mod builder;
mod charset;
mod content;
mod failure;
mod guard;
mod robots;

pub use builder::{HttpFetchBuilder, MAX_BODY, MAX_REDIRECTS, PAGE_TIME, Schemes};
pub(super) use charset::Decoded;
pub(super) use failure::reasons;
pub use guard::Resolver;

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::LOCATION;
use reqwest::{Client, Response, Url};
use tool_runtime::BoxFuture;

use super::fetch::{FetchError, FetchErrorKind, FetchProvider, Page};
use super::html;
use builder::Trusted;
use content::Content;
use guard::Guard;
use robots::Robots;

/// Fetches pages over HTTP and makes them readable. Cheap to clone; clones share their connections.
///
/// Only public addresses are connected to: those that a name leads to, at each look-up, and those that stand in a URL
/// itself, also behind redirects. No proxy of the environment is used, no cookie is kept.
#[derive(Clone)]
pub struct HttpFetch {
    shared: Arc<Shared>,
}

struct Shared {
    guard: Guard,
    trusted: Trusted,
    schemes: Schemes,
    limits: Limits,
    user_agent: String,
    robots: Option<Robots>,
    /// Made for the first page: reading the certificates of the system takes time, and may fail.
    client: OnceLock<Result<Client, String>>,
}

/// How much one page may take.
#[derive(Clone, Copy, Debug)]
struct Limits {
    time: Duration,
    body: usize,
    redirects: usize,
}

/// What came from an address in the end.
struct Answer {
    url: Url,
    response: Response,
}

impl HttpFetch {
    /// Fetches over HTTPS, with the default limits.
    #[must_use]
    pub fn new() -> Self {
        HttpFetchBuilder::new().finish(Vec::new())
    }

    /// Starts from the defaults.
    pub fn builder() -> HttpFetchBuilder {
        HttpFetchBuilder::new()
    }

    async fn page(&self, url: &str) -> Result<Page, FetchError> {
        let limits = self.shared.limits;
        let fetched = async {
            let url = self.shared.parse(url)?;
            let Answer { url, response } = self.shared.follow(url, true).await?;
            let said = content::said(&response)?;
            let bytes = body::read(response, limits.body).await?;
            Ok((url, said, bytes))
        };
        let fetched = tokio::time::timeout(limits.time, fetched).await;
        let (url, said, bytes) = fetched.unwrap_or_else(|_| Err(failure::too_slow(limits.time)))?;
        match content::of(&bytes, said.as_ref())? {
            Content::Html(text) => html::page(url, text).await,
            Content::Text(text) => Ok(text.into_page(&url)),
        }
    }
}

impl Default for HttpFetch {
    fn default() -> Self {
        Self::new()
    }
}

impl FetchProvider for HttpFetch {
    /// As [`FetchProvider::fetch`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection, or the stream on it where requests share one.
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, FetchError>> {
        Box::pin(self.page(url))
    }

    fn admits<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<(), FetchError>> {
        Box::pin(async move {
            let url = self.shared.parse(url)?;
            self.shared.check(&url)?;
            let Some(name) = url.domain() else { return Ok(()) };
            let found = tokio::time::timeout(self.shared.limits.time, self.shared.guard.look_up(name)).await;
            match found {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(FetchError::new(FetchErrorKind::Refused, error.to_string())),
                Err(_) => Err(failure::too_slow(self.shared.limits.time)),
            }
        })
    }
}

impl Shared {
    fn parse(&self, url: &str) -> Result<Url, FetchError> {
        let mut url = Url::parse(url.trim()).map_err(|error| {
            let what = format!("this is no URL ({error}); it is like `https://example.com/page`");
            FetchError::new(FetchErrorKind::Refused, what)
        })?;
        url.set_fragment(None);
        Ok(url)
    }

    /// Whether a request may go to `url`, as far as it says itself.
    fn check(&self, url: &Url) -> Result<(), FetchError> {
        let refused = |message: String| Err(FetchError::new(FetchErrorKind::Refused, message));
        match (url.scheme(), self.schemes) {
            ("https", _) | ("http", Schemes::HttpAndHttps) => {}
            ("http", Schemes::HttpsOnly) => {
                return refused("only `https` is fetched; try the same address with `https`".to_owned());
            }
            (other, _) => return refused(format!("`{other}` is not fetched; only `https` is")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refused("the URL holds a user or a password; leave them out".to_owned());
        }
        let literal = |host: &str| host.trim_matches(['[', ']']).parse::<IpAddr>().ok();
        // The look-up of a name is checked by the client's resolver, which is not asked for these.
        if let Some(host) = url.host_str()
            && let Some(address) = literal(host)
        {
            self.guard
                .check(host, address)
                .map_err(|error| FetchError::new(FetchErrorKind::Refused, error.to_string()))?;
        }
        Ok(())
    }

    /// The answer at `url`, or at where it leads.
    async fn follow(&self, url: Url, with_robots: bool) -> Result<Answer, FetchError> {
        let mut seen = vec![url.clone()];
        let mut url = url;
        loop {
            self.check(&url).map_err(|error| behind(error, &seen))?;
            if with_robots && let Some(robots) = &self.robots {
                robots.check(self, &url).await.map_err(|error| behind(error, &seen))?;
            }
            let sent = self.client()?.get(url.clone()).send().await;
            let response = sent.map_err(|error| behind(failure::no_answer(error), &seen))?;
            let Some(target) = target(&url, &response) else {
                return match response.status().is_success() {
                    true => Ok(Answer { url, response }),
                    false => Err(behind(failure::status(&response), &seen)),
                };
            };
            if seen.contains(&target) {
                let message = format!("it leads round in a circle, back to `{}`", shown(&target));
                return Err(FetchError::new(FetchErrorKind::Limit, message));
            }
            if seen.len() > self.limits.redirects {
                let message = format!("it leads on more than {} times", self.limits.redirects);
                return Err(FetchError::new(FetchErrorKind::Limit, message));
            }
            seen.push(target.clone());
            url = target;
        }
    }

    fn client(&self) -> Result<&Client, FetchError> {
        let client = self.client.get_or_init(|| {
            self.trusted
                .client(self.guard.clone(), &self.user_agent)
                .map_err(|error| failure::reasons(&error))
        });
        client.as_ref().map_err(|error| {
            FetchError::new(FetchErrorKind::Connection, format!("there is no HTTP client to be had: {error}"))
        })
    }
}

/// Where an answer sends its reader on to.
fn target(url: &Url, response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?;
    let mut target = url.join(std::str::from_utf8(location.as_bytes()).ok()?).ok()?;
    target.set_fragment(None);
    Some(target)
}

/// The same failure, with where it happened if that is not where the caller pointed.
fn behind(error: FetchError, seen: &[Url]) -> FetchError {
    match seen {
        [_, .., last] => {
            FetchError { message: format!("it leads to `{}`: {}", shown(last), error.message), ..error }
        }
        _ => error,
    }
}

/// An address for a sentence.
fn shown(url: &Url) -> String {
    let text = url.as_str();
    match text.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

impl fmt::Debug for HttpFetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { schemes, limits, user_agent, robots, .. } = &*self.shared;
        f.debug_struct("HttpFetch")
            .field("schemes", schemes)
            .field("limits", limits)
            .field("user_agent", user_agent)
            .field("honours_robots", &robots.is_some())
            .finish_non_exhaustive()
    }
}
