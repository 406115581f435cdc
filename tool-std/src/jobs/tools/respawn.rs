//! Going on with a job that is over.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolContext, ToolError, ToolParams, worker_tool};

use crate::jobs::{JobState, Jobs};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct RespawnParams {
    /// The number of the job that is over.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    source_job_id: i64,
    /// What is to be done now.
    #[schemars(length(min = 1))]
    message: String,
}

/// Continues a background job that is over as a new job, with the same conversation and directory.
///
/// Use it for more of the same work, or to try again with better words. A job can be continued once; continue then the new
/// one.
#[worker_tool(destructive = false, open_world = false, activity = "Continuing a background job")]
pub async fn respawn_background_job(
    #[state] jobs: Jobs,
    params: RespawnParams,
    context: ToolContext,
) -> Result<Json<JobState>, ToolError> {
    jobs.respawn(context.call_id(), params.source_job_id, &params.message).await.map(Json).map_err(failed)
}
