//! The tool `recall`: what is known about something.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolError, ToolParams, worker_tool};

use super::recalled::{DEFAULT_BUDGET, Recall, Recalled};
use super::{Memory, MemoryError};

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct RecallParams {
    /// Words that it is about: a question, or the names of things.
    #[schemars(length(min = 1))]
    query: String,
    /// The person or thing that it is about, if only facts about that are wanted.
    #[schemars(length(min = 1))]
    entity: Option<String>,
    /// The most tokens of the answer.
    #[serde(default = "default_budget")]
    #[schemars(range(min = 1, max = 12_000))]
    budget_tokens: usize,
}

fn default_budget() -> usize {
    DEFAULT_BUDGET
}

/// Recalls what is known: facts first, then passages of pages, the best first.
///
/// Use it before you say that something is not known. It compares words, so name the things themselves; if nothing fits, try
/// other words. A passage names its page, which `get_page` gives whole. `left_out` counts what fitted and had no room.
#[worker_tool(read_only, parallel, open_world = false, activity = "Recalling {query}")]
pub async fn recall(#[state] memory: Memory, params: RecallParams) -> Result<Json<Recalled>, ToolError> {
    let mut asked = Recall::new(params.query).budget_tokens(params.budget_tokens);
    asked.entity = params.entity;
    memory.recall(&asked).await.map(Json).map_err(MemoryError::into_tool_error)
}

#[cfg(test)]
mod tests {
    use super::super::MAX_BUDGET;
    use super::*;

    #[test]
    fn the_largest_budget_is_the_one_that_is_told() {
        let schema = serde_json::to_value(schemars::schema_for!(RecallParams)).unwrap();
        assert_eq!(schema["properties"]["budget_tokens"]["maximum"], MAX_BUDGET);
    }
}
