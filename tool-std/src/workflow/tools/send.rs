//! Talking to a task of a workflow.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolContext, ToolError, ToolParams, worker_tool};

use crate::workflow::{TaskTold, Workflows};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct SendParams {
    /// The number of the workflow.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    run_id: i64,
    /// The task: its `call_seq` in what `show_workflow` shows.
    #[schemars(range(min = 0, max = 1_023))]
    call_seq: i64,
    /// What the task shall read.
    #[schemars(length(min = 1, max = 8_000))]
    message: String,
}

/// Says something to a live task of a workflow and does not wait for a reply.
///
/// A task that sleeps wakes; one that runs reads it when its next turn begins.
#[worker_tool(destructive = false, open_world = false, activity = "Telling a task of a workflow")]
pub async fn send_message_to_workflow_task(
    #[state] workflows: Workflows,
    params: SendParams,
    context: ToolContext,
) -> Result<Json<TaskTold>, ToolError> {
    let told = workflows.send(context.call_id(), params.run_id, params.call_seq, &params.message).await;
    told.map(Json).map_err(failed)
}
