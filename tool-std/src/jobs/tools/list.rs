//! Which jobs there are.

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{Json, ToolError, ToolParams, worker_tool};

use crate::jobs::{JobList, Jobs};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct ListParams {
    /// Whether to list jobs that can still change, or those that are over.
    #[serde(default)]
    status: Wanted,
    /// The `next_page` of an earlier answer in this turn.
    page: Option<String>,
}

/// Which jobs.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wanted {
    #[default]
    Live,
    Stop,
}

impl serde::Serialize for Wanted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Live => "live",
            Self::Stop => "stop",
        })
    }
}

/// Lists background jobs, the one that changed last first, 32 a page.
///
/// Use it to find the number of a job. A job tells by itself when it is done; do not poll.
#[worker_tool(read_only, parallel, open_world = false, activity = "Looking at the background jobs")]
pub async fn list_background_jobs(
    #[state] jobs: Jobs,
    params: ListParams,
) -> Result<Json<JobList>, ToolError> {
    jobs.list(params.status == Wanted::Live, params.page.as_deref()).await.map(Json).map_err(failed)
}
