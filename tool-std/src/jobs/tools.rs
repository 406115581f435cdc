//! The tools with which a model has jobs.

mod create;
mod list;
mod respawn;
mod send;
mod show;
mod stop;

pub use list::list_background_jobs;
pub use respawn::respawn_background_job;
pub use send::{Sent, SentOutcome, send_message_to_background_job};
pub use show::show_background_job_details;
pub use stop::stop_background_job;

use tool_runtime::{ToolError, ToolErrorKind, WorkerAgentTool, tools};

use super::{JobError, Jobs};

/// The tools of this category, in this order: `create_background_job`, `list_background_jobs`,
/// `show_background_job_details`, `send_message_to_background_job`, `respawn_background_job`, `stop_background_job`.
#[must_use]
pub fn job_tools(jobs: &Jobs) -> Vec<WorkerAgentTool> {
    tools![
        create::create_background_job(jobs.clone()),
        list_background_jobs(jobs.clone()),
        show_background_job_details(jobs.clone()),
        send_message_to_background_job(jobs.clone()),
        respawn_background_job(jobs.clone()),
        stop_background_job(jobs.clone()),
    ]
}

/// What the model reads, and of which kind the failure is.
fn failed(error: JobError) -> ToolError {
    let kind = match &error {
        JobError::Unknown { .. } => ToolErrorKind::NotFound,
        JobError::Refused(_) => ToolErrorKind::InvalidArguments,
        JobError::State(_) => ToolErrorKind::Unavailable,
    };
    ToolError::from(error).with_kind(kind)
}
