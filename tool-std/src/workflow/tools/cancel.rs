//! Cancelling a workflow.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolError, ToolParams, worker_tool};

use crate::workflow::{RunState, Workflows};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct CancelParams {
    /// The number of the workflow.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    run_id: i64,
}

/// Cancels a workflow for good; its tasks are ended within seconds.
///
/// A workflow that is over stays as it is.
#[worker_tool(open_world = false, idempotent, activity = "Cancelling a workflow")]
pub async fn cancel_workflow(
    #[state] workflows: Workflows,
    params: CancelParams,
) -> Result<Json<RunState>, ToolError> {
    workflows.cancel(params.run_id).await.map(Json).map_err(failed)
}
