//! A memory on each database, and its tools.

use serde_json::Value;
use tool_runtime::testing::{self, TestCall};
use tool_std::memory::{IfThere, KeptPage, Memory, MemoryError, NewPage, StateMemory, get_page, recall};
use tool_std::state::State;

use crate::databases::{TestDatabase, databases};

/// The memory of one agent on one database.
pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) memory: StateMemory,
    pub(crate) state: State,
    /// Deleted with it.
    pub(crate) database: TestDatabase,
}

/// One on each database.
pub(crate) async fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for database in databases().await {
        let state = State::open(&database.place).await.unwrap();
        let memory = StateMemory::new(&state, "agent-1");
        worlds.push(World { name: database.name, memory, state, database });
    }
    worlds
}

impl World {
    pub(crate) async fn add(&self, slug: &str, title: &str, body: &str) -> Result<KeptPage, MemoryError> {
        self.memory.add_page(&NewPage::new(title, body).slug(slug), IfThere::Refuse).await
    }

    /// Calls `recall` as a model does.
    pub(crate) async fn recall(&self, arguments: Value) -> TestCall {
        testing::call(&recall(Memory::new(self.memory.clone())), arguments).await
    }

    /// Calls `get_page` as a model does.
    pub(crate) async fn get_page(&self, arguments: Value) -> TestCall {
        testing::call(&get_page(Memory::new(self.memory.clone())), arguments).await
    }
}
