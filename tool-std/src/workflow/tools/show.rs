//! How far a workflow is, and its result.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tool_runtime::{ToolError, ToolOutput, ToolParams, worker_tool};

use crate::workflow::Workflows;

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct ShowParams {
    /// The number of the workflow.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    run_id: i64,
    /// Where in the result to begin, in bytes of UTF-8: 0, and then the `next_offset` of each answer. Only for a workflow that
    /// is completed.
    result_offset: Option<usize>,
}

/// Shows how far a workflow is: its counts, its live tasks, what has failed; with `result_offset`, its result piece by piece.
///
/// The pieces of a result join to its exact text: go on until `next_offset` is null.
#[worker_tool(read_only, parallel, open_world = false, activity = "Looking at a workflow")]
pub async fn show_workflow(
    #[state] workflows: Workflows,
    params: ShowParams,
) -> Result<ToolOutput<Value>, ToolError> {
    let shown = match params.result_offset {
        None => workflows.show(params.run_id).await,
        Some(offset) => workflows.result(params.run_id, offset).await,
    };
    Ok(ToolOutput::from_content(Vec::new()).with_details(shown.map_err(failed)?))
}
