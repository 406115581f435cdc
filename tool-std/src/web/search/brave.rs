//! The API of Brave Search.

use std::fmt;

use serde_json::Value;
use tool_runtime::BoxFuture;
use tool_runtime::http::ApiKey;

use super::api::{Api, hits};
use super::{SearchAnswer, SearchError, SearchHit, SearchProvider};

/// Where the API is.
const BASE_URL: &str = "https://api.search.brave.com";
/// The most hits of one page, and the most pages.
const PAGE: usize = 20;
const MAX_PAGES: usize = 10;

/// Searches by the API of Brave Search.
pub struct BraveSearch {
    api: Api,
}

impl BraveSearch {
    /// The API of Brave itself.
    ///
    /// # Errors
    ///
    /// When the key cannot be sent.
    pub fn new(key: ApiKey) -> Result<Self, SearchError> {
        Self::at(BASE_URL, key)
    }

    /// The API at `base_url`, up to before `/res/v1`.
    ///
    /// # Errors
    ///
    /// When that is no address of a server, or the key cannot be sent.
    pub fn at(base_url: &str, key: ApiKey) -> Result<Self, SearchError> {
        Ok(Self { api: Api::new(base_url)?.with_key("x-subscription-token", "", key)? })
    }

    async fn find(&self, query: &str, limit: usize) -> Result<SearchAnswer, SearchError> {
        let (mut found, mut bodies): (Vec<SearchHit>, Vec<Value>) = (Vec::new(), Vec::new());
        // The same size for all pages, or an offset would mean another place.
        let count = limit.min(PAGE).to_string();
        for page in 0..MAX_PAGES {
            let offset = page.to_string();
            let query = [
                ("q", query),
                ("count", &count),
                ("offset", &offset),
                ("result_filter", "web"),
                ("text_decorations", "false"),
            ];
            let body = match self.api.ask(self.api.get("res/v1/web/search", &query)?).await {
                Ok(body) => body,
                // What was found stays found.
                Err(_) if !found.is_empty() => break,
                Err(error) => return Err(error),
            };
            let hits = hits(body.pointer("/web/results"), "description");
            let is_last =
                hits.is_empty() || body.pointer("/query/more_results_available") == Some(&Value::Bool(false));
            found.extend(hits);
            bodies.push(body);
            if found.len() >= limit || is_last {
                break;
            }
        }
        found.truncate(limit);
        let body = if bodies.len() == 1 { bodies.remove(0) } else { bodies.into() };
        Ok(SearchAnswer::new(found, body))
    }
}

impl SearchProvider for BraveSearch {
    fn name(&self) -> &str {
        "brave"
    }

    fn search<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<SearchAnswer, SearchError>> {
        Box::pin(self.find(query, limit))
    }
}

impl fmt::Debug for BraveSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BraveSearch").field("base_url", &self.api.base()).finish_non_exhaustive()
    }
}
