//! The API of Tavily.

use std::fmt;

use serde_json::json;
use tool_runtime::BoxFuture;
use tool_runtime::http::ApiKey;

use super::api::{Api, hits};
use super::{SearchAnswer, SearchError, SearchProvider};

/// Where the API is.
const BASE_URL: &str = "https://api.tavily.com";
/// The most hits that it gives.
const MAX_HITS: usize = 20;

/// Searches by the API of Tavily, which gives at most 20 hits.
pub struct TavilySearch {
    api: Api,
}

impl TavilySearch {
    /// The API of Tavily itself.
    ///
    /// # Errors
    ///
    /// When the key cannot be sent.
    pub fn new(key: ApiKey) -> Result<Self, SearchError> {
        Self::at(BASE_URL, key)
    }

    /// The API at `base_url`, up to before `/search`.
    ///
    /// # Errors
    ///
    /// When that is no address of a server, or the key cannot be sent.
    pub fn at(base_url: &str, key: ApiKey) -> Result<Self, SearchError> {
        Ok(Self { api: Api::new(base_url)?.with_key("authorization", "Bearer ", key)? })
    }

    async fn find(&self, query: &str, limit: usize) -> Result<SearchAnswer, SearchError> {
        let asked = json!({ "query": query, "max_results": limit.min(MAX_HITS), "search_depth": "basic" });
        let body = self.api.ask(self.api.post("search", &asked)?).await?;
        let mut found = hits(body.get("results"), "content");
        found.truncate(limit);
        Ok(SearchAnswer::new(found, body))
    }
}

impl SearchProvider for TavilySearch {
    fn name(&self) -> &str {
        "tavily"
    }

    fn search<'a>(
        &'a self,
        query: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<SearchAnswer, SearchError>> {
        Box::pin(self.find(query, limit))
    }
}

impl fmt::Debug for TavilySearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TavilySearch").field("base_url", &self.api.base()).finish_non_exhaustive()
    }
}
