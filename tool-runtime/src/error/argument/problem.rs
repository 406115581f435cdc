//! One fault of the arguments.

use std::fmt;

/// The most characters of a value that are shown.
pub(crate) const SHOWN: usize = 60;

/// One fault of the arguments: where, what was expected, what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// JSON pointer into the arguments, shortened after 300 characters; empty for the arguments as a whole.
    pub path: String,
    /// What would fit, in words.
    pub expected: String,
    /// What was there, shortened.
    pub found: String,
    /// The way out, where more can be said than what was expected.
    pub hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(path: String, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { path, expected: expected.into(), found: found.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str("the arguments")?,
            path => write!(f, "`{path}`")?,
        }
        write!(f, ": expected {}, found {}", self.expected, self.found)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// The text between backticks, shortened.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
