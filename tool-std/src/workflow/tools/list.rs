//! Which workflows there are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolError, ToolParams, worker_tool};

use crate::workflow::{RunList, Workflows};

use super::failed;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct ListParams {
    /// Whether to list workflows that go on, or those that are over.
    #[serde(default)]
    status: Wanted,
    /// The `next_page` of an earlier answer in this turn.
    page: Option<String>,
}

/// Which workflows.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wanted {
    #[default]
    Live,
    Done,
}

/// Lists workflows, the newest first, 32 a page.
///
/// Use it to find the number of a workflow. A workflow tells by itself when it is over; do not poll.
#[worker_tool(read_only, parallel, open_world = false, activity = "Looking at the workflows")]
pub async fn list_workflows(
    #[state] workflows: Workflows,
    params: ListParams,
) -> Result<Json<RunList>, ToolError> {
    workflows.list(params.status == Wanted::Live, params.page.as_deref()).await.map(Json).map_err(failed)
}
