//! Memory: pages and facts that outlive conversations, found again by their words.
//!
//! A model reads it with two tools, `recall` and `get_page`; the host writes it. Without a store there are no such tools.
//! [`SqliteMemory`] keeps it in an SQLite file.

mod error;
mod passages;
mod query;
mod sqlite;
mod tools;

pub use error::MemoryError;
pub use sqlite::SqliteMemory;
pub use tools::{get_page, memory_tools, recall};

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tool_runtime::BoxFuture;

/// What can be recalled.
pub trait MemoryStore: fmt::Debug + Send + Sync {
    /// What fits a query best: facts first, then passages, within the budget.
    fn recall<'a>(&'a self, asked: &'a Recall) -> BoxFuture<'a, Result<Recalled, MemoryError>>;

    /// The page of this slug or title, or those that it may mean.
    fn page<'a>(&'a self, reference: &'a str) -> BoxFuture<'a, Result<PageFound, MemoryError>>;
}

/// A memory that tools share.
pub type Memory = Arc<dyn MemoryStore>;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recall {
    /// Words that it is about.
    pub query: String,
    /// Whom or what it is about; only facts of it are given, and passages that name it come first.
    pub entity: Option<String>,
    /// The most tokens of the answer, counted as a quarter of its bytes.
    pub budget_tokens: usize,
}

impl Recall {
    /// A query with a budget of 4,000 tokens.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), entity: None, budget_tokens: 4_000 }
    }
}

/// What was recalled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Recalled {
    /// Single statements, the best first.
    pub facts: Vec<Fact>,
    /// Pieces of pages, the best first.
    pub passages: Vec<Passage>,
    /// Whether more fitted and had no room.
    pub more: bool,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Fact {
    /// What is so.
    pub claim: String,
    /// Whom or what it is about.
    pub entity: Option<String>,
}

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Passage {
    /// The slug of the page, for `get_page`.
    pub page: String,
    /// Its title.
    pub title: String,
    /// The heading that it stands under, if there is one.
    pub heading: Option<String>,
    /// Its text.
    pub text: String,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Page {
    /// What it is called in references: lower case, digits and `-`, with `/` between folders.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its text, in Markdown.
    pub body: String,
}

/// A page in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PageName {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
}

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PageFound {
    /// This page.
    Page(Page),
    /// One of these, or none if there are none: nothing is guessed.
    Candidates(Vec<PageName>),
}
