//! Where pages come from.

use std::error::Error;
use std::fmt;

use tool_runtime::BoxFuture;

/// Gets the readable text of a page.
pub trait FetchProvider: Send + Sync {
    /// The page at `url`.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future has to give up the work.
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, FetchError>>;

    /// Whether `url` may be given to another provider in place of this one, as [`Web::fallback`](super::Web::fallback) does.
    /// By default it may.
    fn admits<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<(), FetchError>> {
        let _ = url;
        Box::pin(async { Ok(()) })
    }
}

/// A page as text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Where it came from in the end, behind all redirects.
    pub url: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its text: Markdown, or what the server sent where that is plain text.
    pub text: String,
    /// What a reader has to know about the text, a sentence each.
    pub notes: Vec<String>,
}

impl Page {
    /// A page without a title.
    pub fn new(url: impl Into<String>, text: impl Into<String>) -> Self {
        Self { url: url.into(), title: None, text: text.into(), notes: Vec::new() }
    }

    /// Gives it a title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Adds what a reader has to know about the text.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchError {
    /// What kind of failure it is.
    pub kind: FetchErrorKind,
    /// What was wrong, and what to do.
    pub message: String,
    /// The status of the server's answer, where that is what was wrong.
    pub status: Option<u16>,
}

/// The kind of a [`FetchError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FetchErrorKind {
    /// The address may not be fetched, or is none.
    Refused,
    /// The server said so, by its status.
    Status,
    /// No connection, or one that broke off.
    Connection,
    /// A limit was reached: time, size, redirects.
    Limit,
    /// What came is nothing that can be read as text.
    Content,
}

impl FetchErrorKind {
    /// The kind as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Status => "status",
            Self::Connection => "connection",
            Self::Limit => "limit",
            Self::Content => "content",
        }
    }
}

impl FetchError {
    /// A failure with this message for the model.
    pub fn new(kind: FetchErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), status: None }
    }

    /// A server's answer that is no page.
    pub fn from_status(status: u16, message: impl Into<String>) -> Self {
        Self { status: Some(status), ..Self::new(FetchErrorKind::Status, message) }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FetchError {}
