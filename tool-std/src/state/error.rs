//! Why the state database did not do what it should.

use std::error::Error;
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateErrorKind {
    /// The place that was named cannot be used.
    Place,
    /// A newer version of the program has written the database.
    Newer,
    /// The database could not be reached, was busy for too long, or refused what it was asked.
    Database,
    /// What stands in the database is not what this program writes there.
    Unreadable,
}

/// Why the state database did not do what it should. Addresses and passwords are not in its words.
#[derive(Debug)]
pub struct StateError {
    kind: StateErrorKind,
    message: String,
    source: Option<sqlx::Error>,
}

impl StateError {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> StateErrorKind {
        self.kind
    }

    pub(crate) fn place(message: impl Into<String>) -> Self {
        Self { kind: StateErrorKind::Place, message: message.into(), source: None }
    }

    pub(crate) fn newer(found: i64, known: i64) -> Self {
        let message = format!(
            "the state database has the schema {found} and this program knows only {known}: a newer version has written it; \
             use that version or a newer one"
        );
        Self { kind: StateErrorKind::Newer, message, source: None }
    }

    /// Something that this program has not written as it stands there.
    pub(crate) fn unreadable(message: impl Into<String>) -> Self {
        Self { kind: StateErrorKind::Unreadable, message: message.into(), source: None }
    }

    pub(crate) fn database(what: &str, error: sqlx::Error) -> Self {
        let message = format!("{what}: {error}");
        Self { kind: StateErrorKind::Database, message, source: Some(error) }
    }
}

impl From<sqlx::Error> for StateError {
    fn from(error: sqlx::Error) -> Self {
        Self::database("the state database failed", error)
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for StateError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().and_then(|error| error.source())
    }
}
