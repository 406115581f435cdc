//! Tokens, which stand in the environment and never on a command line, where others could read them.

use crate::failure::Failure;

/// The token that a variable of the environment holds.
///
/// # Errors
///
/// When it is not set, or holds no text.
pub(crate) fn token(variable: &str) -> Result<String, Failure> {
    std::env::var(variable)
        .map_err(|_| Failure::about(format!("`{variable}`"), "is not set, or no text: put the token there"))
}
