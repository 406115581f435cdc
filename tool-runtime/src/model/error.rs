//! Why there is no response.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The longest wait that a provider may ask for before the same request is made again. One that asks for more is not asked
/// again in this turn.
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(120);

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
    /// How long the provider asks to wait before that; `None` where it does not say.
    pub retry_after: Option<Duration>,
}

impl ModelError {
    /// A request that the format cannot carry. Asking again does not help.
    pub fn request(message: impl Into<String>) -> Self {
        Self::new(ModelErrorKind::Request, message.into(), false)
    }

    /// An answer that cannot be read. A second one may be better.
    pub fn response(message: impl Into<String>) -> Self {
        Self::new(ModelErrorKind::Response, message.into(), true)
    }

    /// A failure that the provider reported.
    pub fn provider(message: impl Into<String>, retryable: bool) -> Self {
        Self::new(ModelErrorKind::Provider, message.into(), retryable)
    }

    fn new(kind: ModelErrorKind, message: String, retryable: bool) -> Self {
        Self { kind, message, code: None, retryable, retry_after: None }
    }

    /// The same error, with the provider's code.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The same error, with the wait that the provider asks for. With one longer than [`MAX_RETRY_AFTER`] the error is not
    /// [`retryable`](Self::retryable) any more.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self.retryable &= wait <= MAX_RETRY_AFTER;
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
