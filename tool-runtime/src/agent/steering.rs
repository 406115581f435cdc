//! What the user says while a turn runs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::model::Item;
use crate::output::Content;

/// Messages of the user to a turn that runs. Clones share the queue: one goes to the agent, another to whoever listens to
/// the user.
///
/// They are handed to the model together, between two rounds; running calls go on. What comes after the last round stays
/// here for a next turn.
#[derive(Clone, Debug, Default)]
pub struct Steering {
    queue: Arc<Mutex<VecDeque<Vec<Content>>>>,
}

impl Steering {
    /// An empty queue.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message.
    pub fn send(&self, text: impl Into<String>) {
        self.send_content(vec![Content::Text(text.into())]);
    }

    /// Adds a message of several parts.
    pub fn send_content(&self, content: Vec<Content>) {
        self.lock().push_back(content);
    }

    /// Takes the messages that no turn has taken, as items for the input of a next one.
    #[must_use]
    pub fn take(&self) -> Vec<Item> {
        self.lock().drain(..).map(Item::User).collect()
    }

    /// Whether there is nothing that a turn has not taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Vec<Content>>> {
        // A queue of whole messages is good even if a thread panicked while it held the lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
