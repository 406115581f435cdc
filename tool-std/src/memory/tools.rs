//! The tools with which a model reads the memory.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolError, ToolErrorKind, ToolParams, WorkerAgentTool, tools, worker_tool};

use super::{Memory, MemoryError, PageFound, Recall, Recalled};

/// The tools of this category, in this order: `recall`, `get_page`.
#[must_use]
pub fn memory_tools(memory: &Memory) -> Vec<WorkerAgentTool> {
    tools![recall(memory.clone()), get_page(memory.clone())]
}

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct RecallParams {
    /// Words that it is about.
    #[schemars(length(min = 1))]
    query: String,
    /// Whom or what it is about, if only that is wanted.
    entity: Option<String>,
    /// The most tokens of the answer.
    #[serde(default = "four_thousand")]
    #[schemars(range(min = 1, max = 12_000))]
    budget_tokens: usize,
}

fn four_thousand() -> usize {
    4_000
}

/// Recalls what is known: facts first, then passages of pages, the best first.
///
/// Use it before you say that you do not know. A passage names its page; `get_page` gives all of it.
#[worker_tool(read_only, parallel, open_world = false, activity = "Recalling {query}")]
pub async fn recall(#[state] memory: Memory, params: RecallParams) -> Result<Json<Recalled>, ToolError> {
    let mut asked = Recall::new(params.query);
    asked.entity = params.entity;
    asked.budget_tokens = params.budget_tokens;
    memory.recall(&asked).await.map(Json).map_err(failed)
}

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct PageParams {
    /// The slug of a page, or its title.
    #[schemars(length(min = 1))]
    reference: String,
}

/// Gives a whole page by its slug or its title. If it is not clear which is meant, the pages that may be are named.
#[worker_tool(read_only, parallel, open_world = false, activity = "Reading {reference}")]
pub async fn get_page(#[state] memory: Memory, params: PageParams) -> Result<Json<PageFound>, ToolError> {
    memory.page(&params.reference).await.map(Json).map_err(failed)
}

fn failed(error: MemoryError) -> ToolError {
    let kind = match &error {
        MemoryError::Refused(_) => ToolErrorKind::InvalidArguments,
        MemoryError::Store(_) => ToolErrorKind::Unavailable,
    };
    ToolError::from(error).with_kind(kind)
}
