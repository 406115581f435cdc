//! A memory in the state database.

mod facts;
mod find;
mod pages;
mod reference;

use tool_runtime::BoxFuture;

use super::{MemoryError, MemoryStore, PageFound, Recall, Recalled};
use crate::state::{State, StateError, Tx};

/// The memory of an agent in a state database: SQLite with its full-text search, or PostgreSQL with its own. Both compare the
/// same words; the order of what is found may differ. Clones share the connections.
///
/// The host writes it with the methods here; models read it by [`Memory`](super::Memory). Any number of processes may do
/// both at a time: a change is one transaction, and what is read is never half of one. Bounds: a page of
/// [`MAX_PAGE`](super::MAX_PAGE) bytes, a fact of [`MAX_FACT`](super::MAX_FACT) bytes.
///
/// # Cancel safety
///
/// A change whose future is dropped before it is done is made as a whole or not at all.
#[derive(Clone, Debug)]
pub struct StateMemory {
    state: State,
    agent: String,
}

impl StateMemory {
    /// The memory of `agent`, which no other agent of the database reads.
    #[must_use]
    pub fn new(state: &State, agent: impl Into<String>) -> Self {
        Self { state: state.clone(), agent: agent.into() }
    }

    /// A transaction in which no other changes the memory of this agent.
    async fn change(&self) -> Result<Tx, StateError> {
        let mut tx = self.state.write().await?;
        tx.lock(&format!("memory/{}", self.agent)).await?;
        Ok(tx)
    }
}

impl MemoryStore for StateMemory {
    fn recall<'a>(&'a self, asked: &'a Recall) -> BoxFuture<'a, Result<Recalled, MemoryError>> {
        Box::pin(self.find(asked))
    }

    fn page<'a>(&'a self, reference: &'a str) -> BoxFuture<'a, Result<PageFound, MemoryError>> {
        Box::pin(self.referred(reference))
    }
}
