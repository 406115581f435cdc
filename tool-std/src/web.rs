//! The web: searching it, and reading pages of it.
//!
//! Both tools work through a provider. Pages are fetched by [`HttpFetch`] unless the host brings its own
//! [`FetchProvider`]; for searches the host has to choose one: [`SearxngSearch`], [`BraveSearch`], [`TavilySearch`], or its
//! own [`SearchProvider`].

mod budget;
mod cache;
mod fetch;
mod html;
mod http;
mod pages;
mod saved;
mod search;
mod shown;
mod web_fetch;
mod web_search;

pub use fetch::{FetchError, FetchErrorKind, FetchProvider, Page};
pub use http::{HttpFetch, HttpFetchBuilder, MAX_BODY, MAX_REDIRECTS, PAGE_TIME, Resolver, Schemes};
pub use search::{
    BraveSearch, SearchAnswer, SearchError, SearchHit, SearchProvider, SearxngSearch, TavilySearch,
};
pub use web_fetch::{FetchedPage, FetchedPages, WebFetchParams, web_fetch};
pub use web_search::{SearchResults, WebSearchParams, web_search};

use std::fmt;
use std::sync::{Arc, Mutex};

use tool_runtime::{WorkerAgentTool, tools};

use crate::computer::Computer;
use cache::Cache;

/// The tools of this category for one turn: [`web_search()`] if there is a search provider, and [`web_fetch()`] if there is
/// one that fetches.
#[must_use]
pub fn web_tools(web: &Web) -> Vec<WorkerAgentTool> {
    tools![
        if web.search.is_some() => web_search(web.clone()),
        if web.fetch.is_some() => web_fetch(web.clone()),
    ]
}

/// What the web tools of a turn work with. Cheap to clone; clones share the pages that were fetched lately.
///
/// ```
/// use tool_std::web::{Web, web_tools};
///
/// let names: Vec<_> = web_tools(&Web::new()).iter().map(|tool| tool.spec().name.clone()).collect();
/// assert_eq!(names, ["web_fetch"]);
/// ```
#[derive(Clone)]
#[must_use]
pub struct Web {
    search: Option<Arc<dyn SearchProvider>>,
    fetch: Option<Arc<dyn FetchProvider>>,
    fallback: Option<Arc<dyn FetchProvider>>,
    cache: Arc<Mutex<Cache>>,
    computer: Option<Computer>,
}

impl Web {
    /// Fetches pages by [`HttpFetch`], and searches nothing.
    pub fn new() -> Self {
        let cache = Arc::default();
        Self { search: None, fetch: Some(Arc::new(HttpFetch::new())), fallback: None, cache, computer: None }
    }

    /// Sets who searches.
    pub fn search(mut self, provider: impl SearchProvider + 'static) -> Self {
        self.search = Some(Arc::new(provider));
        self
    }

    /// Sets who fetches pages.
    pub fn fetch(mut self, provider: impl FetchProvider + 'static) -> Self {
        self.fetch = Some(Arc::new(provider));
        self
    }

    /// Does without fetching pages.
    pub fn without_fetch(mut self) -> Self {
        self.fetch = None;
        self
    }

    /// Sets who fetches a page that the first provider could not get, or that has no text without its scripts, such as a
    /// browser. It gets only addresses that the first one [admits](FetchProvider::admits), and has to refuse what pages
    /// load themselves.
    pub fn fallback(mut self, provider: impl FetchProvider + 'static) -> Self {
        self.fallback = Some(Arc::new(provider));
        self
    }

    /// The same providers for another conversation, which has fetched nothing yet.
    pub fn for_another_conversation(&self) -> Self {
        Self { cache: Arc::default(), ..self.clone() }
    }

    /// The same, keeping the whole text of long pages in the workspace of `computer`, where there is one.
    pub fn saving_to(&self, computer: Option<&Computer>) -> Self {
        Self { computer: computer.cloned(), ..self.clone() }
    }
}

impl Default for Web {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web")
            .field("search", &self.search.as_ref().map(|search| search.name().to_owned()))
            .field("fetches", &self.fetch.is_some())
            .field("has_fallback", &self.fallback.is_some())
            .finish_non_exhaustive()
    }
}
