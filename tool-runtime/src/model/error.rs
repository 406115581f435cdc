//! Why there is no response.

use std::error::Error;
use std::fmt;

/// What went wrong between us and the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The request cannot be written in the provider's format.
    Request,
    /// The answer is no response in the provider's format.
    Response,
    /// The provider said that it failed, or cannot be reached.
    Provider,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelError {
    /// What went wrong.
    pub kind: ModelErrorKind,
    /// In words; the provider's own where it gave some.
    pub message: String,
    /// The provider's code for it, for example `rate_limit_exceeded`.
    pub code: Option<String>,
    /// Whether the same request may succeed later.
    pub retryable: bool,
}

impl ModelError {
    /// A request that the format cannot carry. Asking again does not help.
    pub fn request(message: impl Into<String>) -> Self {
        Self { kind: ModelErrorKind::Request, message: message.into(), code: None, retryable: false }
    }

    /// An answer that cannot be read. A second one may be better.
    pub fn response(message: impl Into<String>) -> Self {
        Self { kind: ModelErrorKind::Response, message: message.into(), code: None, retryable: true }
    }

    /// A failure that the provider reported.
    pub fn provider(message: impl Into<String>, retryable: bool) -> Self {
        Self { kind: ModelErrorKind::Provider, message: message.into(), code: None, retryable }
    }

    /// The same error, with the provider's code.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.code {
            Some(code) => write!(f, " (`{code}`)"),
            None => Ok(()),
        }
    }
}

impl Error for ModelError {}
