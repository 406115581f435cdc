//! A bound on what is kept of a response while it streams in.

use crate::model::ModelError;

/// The most that is kept of one streamed response, in bytes: its texts, arguments and items, not the events around them.
pub const MAX_STREAMED: usize = 64 * 1024 * 1024;

/// What an entry of a list costs beside its text.
const ENTRY: usize = 256;

/// Counts what is kept.
#[derive(Debug, Default)]
pub(super) struct Budget {
    kept: usize,
}

impl Budget {
    /// Notes that `text` is kept.
    ///
    /// # Errors
    ///
    /// When that is too much.
    pub(super) fn keep(&mut self, text: &str) -> Result<(), ModelError> {
        self.add(text.len())
    }

    /// Notes that one more item, call or part is kept.
    ///
    /// # Errors
    ///
    /// When that is too much.
    pub(super) fn keep_entry(&mut self) -> Result<(), ModelError> {
        self.add(ENTRY)
    }

    fn add(&mut self, bytes: usize) -> Result<(), ModelError> {
        self.kept = self.kept.saturating_add(bytes);
        if self.kept > MAX_STREAMED {
            return Err(ModelError::response(format!(
                "the streamed response is longer than {MAX_STREAMED} bytes"
            )));
        }
        Ok(())
    }
}
