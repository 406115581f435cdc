//! Faults of schemas and of tools.

mod argument;

pub use argument::{ArgumentClass, ArgumentError, Problem};
pub(crate) use argument::{SHOWN, quoted};

use std::error::Error;
use std::fmt;

/// One fault of a schema: where it stands and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaProblem {
    /// JSON pointer into the schema; empty for the root.
    pub path: String,
    /// What is wrong, and the way out where it is known.
    pub message: String,
}

impl SchemaProblem {
    /// A fault at `path` (a JSON pointer).
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the root" } else { &self.path };
        write!(f, "at `{path}`: {}", self.message)
    }
}

impl Error for SchemaProblem {}

/// What kind of failure a [`ToolError`] is. The model sees only the message; hosts and guards see the kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The work itself failed.
    #[default]
    Failed,
    /// The arguments fit the schema but make no sense to the tool.
    InvalidArguments,
    /// What the arguments name does not exist.
    NotFound,
    /// The tool may not do this.
    Denied,
    /// Something that the tool needs is not to be had now; a later try may succeed.
    Unavailable,
}

impl ToolErrorKind {
    /// The kind as one word, for logs and traces.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::InvalidArguments => "invalid_arguments",
            Self::NotFound => "not_found",
            Self::Denied => "denied",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Why a tool could not do its work. The message goes to the model, so it says what was wrong and what to try instead.
///
/// Every [`std::error::Error`] becomes one by `?`; its message is the error's own, followed by those of its sources.
/// For the same reason this type does not implement `Error` itself.
///
/// ```
/// use tool_runtime::{ToolError, ToolErrorKind};
///
/// fn read() -> Result<String, ToolError> {
///     let text = std::fs::read_to_string("no such file")?;
///     Ok(text)
/// }
/// assert!(read().is_err());
///
/// let error = ToolError::new("there is no page 9; the last is 4").with_kind(ToolErrorKind::NotFound);
/// assert_eq!(error.to_string(), "there is no page 9; the last is 4");
/// ```
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// A failure with this message for the model.
    pub fn new(message: impl Into<String>) -> Self {
        Self { kind: ToolErrorKind::Failed, message: message.into(), source: None }
    }

    /// The same failure, of another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ToolErrorKind) -> Self {
        self.kind = kind;
        self
    }

    /// The text that the model reads, to be shortened.
    pub(crate) fn message_mut(&mut self) -> &mut String {
        &mut self.message
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// The text that the model reads.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The error it was made from, for the host's logs.
    #[must_use]
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.source.as_deref()
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut next = error.source();
        while let Some(source) = next {
            let text = source.to_string();
            if !message.ends_with(&text) {
                message.push_str(": ");
                message.push_str(&text);
            }
            next = source.source();
        }
        Self { kind: ToolErrorKind::Failed, message, source: Some(Box::new(error)) }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("kind", &self.kind)
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}
