//! A task turn: an isolated conversation that has to end with a result.
//!
//! The catalog is made by its own function and not taken out of that of a main turn: what a task can do is what stands here.

mod sleep;
mod submit;
mod turn;

pub(crate) use turn::{Attempt, Turned};

use tool_runtime::{ToolSpec, WorkerAgentTool};

use super::kit::{GIVEN, TaskKit};
use super::row::Task;
use super::schema::ResultSchema;
use super::space::WorkflowSpace;

/// The tool that hands in the result.
const SUBMIT: &str = "submit_result";
/// The tool that parks the task.
const SLEEP: &str = "sleep";

/// What the ending tools of a task work on.
#[derive(Clone, Debug)]
struct Ending {
    space: WorkflowSpace,
    task: Task,
    schema: std::sync::Arc<ResultSchema>,
}

/// The tools of a task turn, in this order: those that the host gives, `sleep`, `submit_result`.
///
/// # Errors
///
/// When the host gives a tool that no task may have.
fn workflow_task_tools(kit: &TaskKit, ending: &Ending) -> Result<Vec<WorkerAgentTool>, String> {
    let mut tools = Vec::new();
    for name in GIVEN {
        tools.extend(kit.tools.iter().filter(|tool| is_named(tool.spec(), name)).cloned());
    }
    if let Some(other) = kit.tools.iter().find(|tool| !GIVEN.iter().any(|name| is_named(tool.spec(), name))) {
        return Err(format!(
            "a task cannot have the tool `{}`; it may be given `{}`",
            other.spec().display_name(),
            GIVEN.join("`, `")
        ));
    }
    tools.push(sleep::sleep(ending.clone()));
    tools.push(submit::submit_result(ending.clone()));
    Ok(tools)
}

fn is_named(spec: &ToolSpec, name: &str) -> bool {
    spec.namespace.is_none() && spec.name == name
}
