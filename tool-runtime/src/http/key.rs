//! Keys, and what can be wrong with a client before it asks anything.

use std::error::Error;
use std::fmt;

/// The key of an API. Its text is never shown: not by `Debug`, and not in an error.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key. White space around it, as files have it at their end, is no part of it.
    pub fn new(key: impl AsRef<str>) -> Self {
        Self(key.as_ref().trim().to_owned())
    }

    /// The key that stands in a variable of the environment.
    ///
    /// # Errors
    ///
    /// When there is no such variable, or it is blank.
    pub fn from_env(variable: &str) -> Result<Self, HttpModelError> {
        match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => Ok(Self::new(key)),
            Ok(_) => Err(HttpModelError::new(format!(
                "the variable `{variable}` of the environment is blank: it has to hold the key of the API"
            ))),
            Err(_) => Err(HttpModelError::new(format!(
                "there is no variable `{variable}` in the environment: set it to the key of the API"
            ))),
        }
    }

    /// The text of the key, for the request that it goes into.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// Why there is no client.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpModelError {
    /// What is wrong, and what to do.
    pub message: String,
}

impl HttpModelError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for HttpModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for HttpModelError {}
