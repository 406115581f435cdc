//! Why the memory did not do what it should.

use std::error::Error;
use std::fmt;

use tool_runtime::{ToolError, ToolErrorKind};

use crate::state::StateError;

/// Why the memory did not do what it should. The message says what was wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryError {
    kind: MemoryErrorKind,
    message: String,
}

/// The kind of a [`MemoryError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryErrorKind {
    /// What was given cannot be kept, or cannot be looked for.
    Invalid,
    /// There is no such page or fact.
    NotFound,
    /// Another page of this name is there.
    Exists,
    /// The place where it is kept cannot be reached or does not do what it is asked; a later try may succeed.
    Store,
}

impl MemoryError {
    /// An error of this kind, for a [`MemoryStore`](super::MemoryStore) of one's own.
    pub fn new(kind: MemoryErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(MemoryErrorKind::Invalid, message)
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> MemoryErrorKind {
        self.kind
    }

    /// The error as the model gets it.
    pub(crate) fn into_tool_error(self) -> ToolError {
        let kind = match self.kind {
            MemoryErrorKind::Invalid | MemoryErrorKind::Exists => ToolErrorKind::InvalidArguments,
            MemoryErrorKind::NotFound => ToolErrorKind::NotFound,
            MemoryErrorKind::Store => ToolErrorKind::Unavailable,
        };
        ToolError::new(self.message).with_kind(kind)
    }
}

impl From<StateError> for MemoryError {
    fn from(error: StateError) -> Self {
        Self::new(MemoryErrorKind::Store, error.to_string())
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for MemoryError {}
