//! Memory: pages and facts that outlive conversations, found again by their words.
//!
//! A model reads it with two tools, [`recall()`] and [`get_page()`]; only the host writes it. A turn without a memory has no
//! such tools. [`StateMemory`] keeps it in the state database; any other place is a [`MemoryStore`].
//!
//! What is found for what, and what the limits are, is told in `docs/memory.md`.

mod error;
mod fact;
mod get_page;
mod names;
mod page;
mod passages;
mod recall;
mod recalled;
mod state_memory;
mod words;

pub use error::{MemoryError, MemoryErrorKind};
pub use fact::{Fact, KeptFact, MAX_FACT};
pub use get_page::{GetPageParams, GetPageResult, PageText, get_page};
pub use names::slug_of;
pub use page::{
    IfThere, Keeping, KeptPage, MAX_PAGE, MAX_TITLE, NewPage, Page, PageFound, PageName, PageSummary,
};
pub use recall::{RecallParams, recall};
pub use recalled::{DEFAULT_BUDGET, MAX_BUDGET, Passage, Recall, Recalled};
pub use state_memory::StateMemory;

use std::fmt;
use std::sync::Arc;

use tool_runtime::{BoxFuture, WorkerAgentTool, tools};

/// The tools of this category, in this order: [`recall()`], [`get_page()`]. Both only read, so they also suit turns that may
/// change nothing, as tasks of workflows.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # let folder = tempfile::tempdir()?;
/// # let place = folder.path().to_str().ok_or("a path that is no text")?;
/// # runtime.block_on(async {
/// use tool_std::memory::{IfThere, Memory, NewPage, StateMemory, memory_tools};
/// use tool_std::state::State;
///
/// let store = StateMemory::new(&State::open(place).await?, "agent-1");
/// let page = NewPage::new("Rotating keys", "Keys of the API are rotated on the first of a month.");
/// store.add_page(&page, IfThere::Refuse).await?;
///
/// let tools = memory_tools(&Memory::new(store));
/// assert_eq!(tools.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn memory_tools(memory: &Memory) -> Vec<WorkerAgentTool> {
    tools![recall(memory.clone()), get_page(memory.clone())]
}

/// What can be recalled: the side of a memory that models read.
///
/// # Cancel safety
///
/// A call that is cancelled drops the future of its method, so dropping it must leave nothing half done.
pub trait MemoryStore: fmt::Debug + Send + Sync {
    /// What fits a query best: facts first, then passages, within the budget. [`Recalled::within`] keeps to one.
    ///
    /// # Errors
    ///
    /// When the query cannot be looked for, or the place where the memory is kept fails.
    fn recall<'a>(&'a self, asked: &'a Recall) -> BoxFuture<'a, Result<Recalled, MemoryError>>;

    /// The page of this slug or title, or those that it may mean: nothing is guessed.
    ///
    /// # Errors
    ///
    /// When the place where the memory is kept fails. A reference that means nothing is no error but
    /// [`PageFound::Candidates`] without any.
    fn page<'a>(&'a self, reference: &'a str) -> BoxFuture<'a, Result<PageFound, MemoryError>>;
}

/// A memory, as tools share it. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use]
pub struct Memory {
    store: Arc<dyn MemoryStore>,
}

impl Memory {
    /// The memory that is kept there.
    pub fn new(store: impl MemoryStore + 'static) -> Self {
        Self { store: Arc::new(store) }
    }

    /// As [`MemoryStore::recall`].
    ///
    /// # Errors
    ///
    /// As [`MemoryStore::recall`].
    pub async fn recall(&self, asked: &Recall) -> Result<Recalled, MemoryError> {
        self.store.recall(asked).await
    }

    /// As [`MemoryStore::page`].
    ///
    /// # Errors
    ///
    /// As [`MemoryStore::page`].
    pub async fn page(&self, reference: &str) -> Result<PageFound, MemoryError> {
        self.store.page(reference).await
    }
}
