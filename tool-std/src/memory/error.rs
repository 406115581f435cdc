//! Why the memory did not do what it should.

use std::error::Error;
use std::fmt;

/// Why the memory did not do what it should.
#[derive(Debug)]
#[non_exhaustive]
pub enum MemoryError {
    /// What was given cannot be kept; the sentence says why.
    Refused(String),
    /// Where it is kept failed.
    Store(String),
}

impl From<sqlx::Error> for MemoryError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(format!("the memory failed: {error}"))
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(sentence) | Self::Store(sentence) => f.write_str(sentence),
        }
    }
}

impl Error for MemoryError {}
