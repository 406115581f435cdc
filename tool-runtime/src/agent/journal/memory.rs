//! A journal in memory.

use std::sync::{Arc, Mutex, PoisonError};

use crate::tool::BoxFuture;

use super::{Journal, JournalEntry, JournalError, Recovered, recover};

/// A journal in memory: for a host that drops a turn and wants to know what was done, and for tests. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    entries: Arc<Mutex<Vec<JournalEntry<'static>>>>,
}

impl MemoryJournal {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All entries so far.
    #[must_use]
    pub fn entries(&self) -> Vec<JournalEntry<'static>> {
        // A list of whole entries is good even if a thread panicked while it held the lock.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a next turn can go on with, as if the turn had been broken off now.
    #[must_use]
    pub fn recover(&self) -> Recovered {
        recover(self.entries())
    }
}

impl Journal for MemoryJournal {
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>> {
        Box::pin(async move {
            self.entries.lock().unwrap_or_else(PoisonError::into_inner).push(entry.into_owned());
            Ok(())
        })
    }
}
