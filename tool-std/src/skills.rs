//! Skills: instructions for kinds of work, each a folder with a `SKILL.md`. The model is told their names and one line each
//! ([`Skills::projection`]), and loads what it needs with one tool.
//!
//! How a skill is written is told in `docs/skills.md`.

mod files;
mod front;
mod load;
mod mcp;
mod projection;
mod scan;
mod skill;
mod turn;
mod wrapper;
mod yaml;

pub use mcp::{McpConfig, McpError, McpProblem, McpServer, McpTransport};
pub use skill::{Skill, SkillProblem, SkillRuntime, TurnKind};
pub use turn::{SkillError, Skills};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, WorkerAgentTool, tools, worker_tool};

/// The tools of this category for one turn: [`skill_view()`], or none when the turn has no skills.
#[must_use]
pub fn skill_tools(skills: &Skills) -> Vec<WorkerAgentTool> {
    tools![if skills.offered().next().is_some() => skill_view(skills.clone())]
}

/// What the model wants to read.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct SkillViewParams {
    /// The skill, by its name.
    #[schemars(length(min = 1))]
    name: String,
    /// A file of the skill that its instructions name, as `references/fields.md`. Left out, the instructions themselves.
    #[serde(rename = "filePath")]
    file_path: Option<String>,
}

/// What was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillView {
    /// The skill.
    pub name: String,
    /// The file in its folder.
    pub path: String,
}

/// Loads the instructions of a skill, or a file that they name.
///
/// Load a skill before you begin work that it is for, and only then. What comes back stands between marks that say where it
/// is from: follow it as far as it serves the work at hand. Other files of a skill are read by their path.
#[worker_tool(
    read_only,
    parallel,
    open_world = false,
    max_output = 200_000,
    activity = "Loading the skill {name}"
)]
pub async fn skill_view(
    #[state] skills: Skills,
    params: SkillViewParams,
    context: ToolContext,
) -> Result<ToolOutput<SkillView>, ToolError> {
    let SkillViewParams { name, file_path } = params;
    let work = move || {
        let (text, path) = load::load(&skills, &name, file_path.as_deref().unwrap_or(scan::SKILL_FILE))?;
        Ok(ToolOutput::text(text).with_details(SkillView { name, path }))
    };
    context.run_blocking(work).await?
}
