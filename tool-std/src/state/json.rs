//! Columns that hold JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Row, StateError};

/// A column that holds JSON, or nothing.
pub(crate) fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<Option<T>, StateError> {
    let Some(text) = row.optional_text(column)? else { return Ok(None) };
    let read = serde_json::from_str(&text);
    read.map(Some)
        .map_err(|error| StateError::unreadable(format!("the column `{column}` cannot be read: {error}")))
}

/// A value as JSON for a column.
pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, StateError> {
    serde_json::to_string(value).map_err(|error| {
        StateError::unreadable(format!("a value for the database cannot be written: {error}"))
    })
}
