//! Where search results come from.

mod api;
mod brave;
mod searxng;
mod tavily;

pub use brave::BraveSearch;
pub use searxng::SearxngSearch;
pub use tavily::TavilySearch;

use std::error::Error;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use tool_runtime::{BoxFuture, ToolError, ToolErrorKind};

/// Searches the web.
pub trait SearchProvider: Send + Sync {
    /// What it is called, for hosts and logs.
    fn name(&self) -> &str;

    /// Searches for `query`; `limit` is the most hits that are wanted, from 1 to 100.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future has to give up the work.
    fn search<'a>(&'a self, query: &'a str, limit: usize)
    -> BoxFuture<'a, Result<SearchAnswer, SearchError>>;
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchAnswer {
    /// The hits, best first.
    pub hits: Vec<SearchHit>,
    /// All that the provider answered, for the host: one value, or a list of them where several pages were asked for.
    pub body: Value,
}

impl SearchAnswer {
    /// These hits, and all that was answered.
    #[must_use]
    pub fn new(hits: Vec<SearchHit>, body: Value) -> Self {
        Self { hits, body }
    }
}

/// A page that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SearchHit {
    /// The title of the page.
    pub title: String,
    /// Its address.
    pub url: String,
    /// A few words of it.
    pub snippet: String,
}

impl SearchHit {
    /// A hit.
    pub fn new(title: impl Into<String>, url: impl Into<String>, snippet: impl Into<String>) -> Self {
        Self { title: title.into(), url: url.into(), snippet: snippet.into() }
    }
}

/// Why a search failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchError {
    /// The status of the provider's answer, if there was one.
    pub status: Option<u16>,
    /// The provider's own word for the failure.
    pub code: Option<String>,
    /// What was wrong, and what to do.
    pub message: String,
}

impl SearchError {
    /// A failure without an answer.
    pub fn new(message: impl Into<String>) -> Self {
        Self { status: None, code: None, message: message.into() }
    }

    /// An answer that is a refusal.
    pub fn from_status(status: u16, code: Option<String>, message: impl Into<String>) -> Self {
        Self { status: Some(status), code, message: message.into() }
    }

    /// The error as the model gets it.
    pub(super) fn into_tool_error(self) -> ToolError {
        let kind = match self.status {
            Some(401 | 403) => ToolErrorKind::Denied,
            None | Some(408 | 429 | 432 | 433 | 500..) => ToolErrorKind::Unavailable,
            _ => ToolErrorKind::Failed,
        };
        ToolError::new(format!("the search failed: {self}")).with_kind(kind)
    }
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, code, message } = self;
        match (status, code) {
            (Some(status), Some(code)) => write!(f, "status {status}, code `{code}`: {message}"),
            (Some(status), None) => write!(f, "status {status}: {message}"),
            _ => f.write_str(message),
        }
    }
}

impl Error for SearchError {}
