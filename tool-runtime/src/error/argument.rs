//! Why arguments cannot be used.

use std::error::Error;
use std::fmt;

/// The three ways in which arguments are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArgumentClass {
    /// The text ends before the object does.
    Truncated,
    /// No object can be read from it, or more than one.
    Malformed,
    /// An object was read and does not fit the parameters.
    Invalid,
}

impl ArgumentClass {
    /// The class as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Invalid => "invalid",
        }
    }
}

/// Why arguments cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArgumentError {
    class: ArgumentClass,
    message: String,
}

impl ArgumentError {
    /// From the typed reading.
    pub(crate) fn from_serde(error: &serde_json::Error, _text: &str) -> Self {
        Self { class: ArgumentClass::Invalid, message: format!("are invalid: {error}") }
    }

    /// Which of the three.
    #[must_use]
    pub fn class(&self) -> ArgumentClass {
        self.class
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ArgumentError {}
