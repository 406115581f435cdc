//! Stopping a job.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolError, ToolParams, worker_tool};

use crate::jobs::{JobState, Jobs};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct StopParams {
    /// The number of the job.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    job_id: i64,
}

/// Stops a background job for good; what it runs is ended within seconds.
///
/// Its files stay, and it can be continued as a new job. A job that is over stays as it is.
#[worker_tool(open_world = false, idempotent, activity = "Stopping a background job")]
pub async fn stop_background_job(
    #[state] jobs: Jobs,
    params: StopParams,
) -> Result<Json<JobState>, ToolError> {
    jobs.stop(params.job_id).await.map(Json).map_err(failed)
}
