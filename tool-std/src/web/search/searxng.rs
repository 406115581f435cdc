//! SearXNG, which anyone can run.

use std::fmt;

use serde_json::Value;
use tool_runtime::BoxFuture;

use super::api::{Api, hits};
use super::{SearchAnswer, SearchError, SearchHit, SearchProvider};

/// The most pages of results that one search asks for.
const MAX_PAGES: usize = 10;

/// Searches by an instance of SearXNG. Its settings have to list `json` in `search.formats`.
pub struct SearxngSearch {
    api: Api,
}

impl SearxngSearch {
    /// The instance at `base_url`, up to before `/search`.
    ///
    /// # Errors
    ///
    /// When that is no address of a server.
    pub fn new(base_url: &str) -> Result<Self, SearchError> {
        Ok(Self { api: Api::new(base_url)? })
    }

    async fn find(&self, query: &str, limit: usize) -> Result<SearchAnswer, SearchError> {
        let (mut found, mut bodies): (Vec<SearchHit>, Vec<Value>) = (Vec::new(), Vec::new());
        for page in 1..=MAX_PAGES {
            let request =
                self.api.get("search", &[("q", query), ("format", "json"), ("pageno", &page.to_string())])?;
            let body = match self.api.ask(request).await {
                Ok(body) => body,
                // What was found stays found.
                Err(_) if !found.is_empty() => break,
                Err(error) => return Err(with_advice(error)),
            };
            let before = found.len();
            for hit in hits(body.get("results"), "content") {
                if !found.iter().any(|known| known.url == hit.url) {
                    found.push(hit);
                }
            }
            bodies.push(body);
            if found.len() >= limit || found.len() == before {
                break;
            }
        }
        found.truncate(limit);
        let body = if bodies.len() == 1 { bodies.remove(0) } else { bodies.into() };
        Ok(SearchAnswer::new(found, body))
    }
}

/// The instance refuses formats that its settings do not list, and does not say so.
fn with_advice(mut error: SearchError) -> SearchError {
    if error.status == Some(403) {
        error.message.push_str("; the settings of SearXNG have to list `json` in `search.formats`");
    }
    error
}

impl SearchProvider for SearxngSearch {
    fn name(&self) -> &str {
        "searxng"
    }

    fn search<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<SearchAnswer, SearchError>> {
        Box::pin(self.find(query, limit))
    }
}

impl fmt::Debug for SearxngSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearxngSearch").field("base_url", &self.api.base()).finish()
    }
}
