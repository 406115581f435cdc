//! The tools with which a model has workflows.

mod cancel;
mod list;
mod send;
mod show;
mod start;

pub use cancel::cancel_workflow;
pub use list::list_workflows;
pub use send::send_message_to_workflow_task;
pub use show::show_workflow;

use tool_runtime::{ToolError, ToolErrorKind, WorkerAgentTool, tools};

use super::{WorkflowError, Workflows};

/// The tools of this category, in this order: `workflow`, `show_workflow`, `list_workflows`, `send_message_to_workflow_task`,
/// `cancel_workflow`.
#[must_use]
pub fn workflow_tools(workflows: &Workflows) -> Vec<WorkerAgentTool> {
    tools![
        start::workflow(workflows.clone()),
        show_workflow(workflows.clone()),
        list_workflows(workflows.clone()),
        send_message_to_workflow_task(workflows.clone()),
        cancel_workflow(workflows.clone()),
    ]
}

/// What the model reads, and of which kind the failure is.
fn failed(error: WorkflowError) -> ToolError {
    let kind = match &error {
        WorkflowError::Unknown { .. } => ToolErrorKind::NotFound,
        WorkflowError::Refused(_) => ToolErrorKind::InvalidArguments,
        WorkflowError::State(_) => ToolErrorKind::Unavailable,
    };
    ToolError::from(error).with_kind(kind)
}
