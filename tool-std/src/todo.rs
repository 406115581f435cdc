//! The plan of the current work: one tool that reads, replaces or patches it.

mod store;

pub use store::{Plan, Status, Summary, Todo, TodoStore};

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{
    PresentationEvent, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolParams, WorkerAgentTool, tools,
    worker_tool,
};

/// The tools of this category: [`todo()`].
pub fn todo_tools(store: &TodoStore) -> Vec<WorkerAgentTool> {
    tools![todo(store.clone())]
}

/// What the model asks of the plan.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct TodoParams {
    /// The tasks, most important first. Leave out to read the plan.
    #[schemars(length(max = 256))]
    todos: Option<Vec<TodoChange>>,
    /// Whether `todos` are changes to the plan that stands, so that only what changes is given. Otherwise they replace it.
    #[serde(default)]
    merge: bool,
}

/// A task, or what changes of it.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct TodoChange {
    /// What the task is called in later changes.
    #[schemars(length(min = 1, max = 100))]
    id: String,
    /// What is to be done. May be left out or blank when `merge` is true and the task is known.
    #[schemars(length(max = 4_000))]
    content: Option<String>,
    /// How far it is. Left out, a known task keeps its state and a new one is pending.
    status: Option<Status>,
}

/// Keeps the plan of the work at hand as a list of tasks.
///
/// Use it for work of three steps or more: write the plan first, keep exactly one task in progress, and mark each task
/// as soon as it is done. Call it without `todos` to read the plan.
#[worker_tool(destructive = false, open_world = false, activity = none)]
pub async fn todo(
    #[state] store: TodoStore,
    params: TodoParams,
    context: ToolContext,
) -> Result<ToolOutput<Plan>, ToolError> {
    let invalid = |problem| ToolError::new(problem).with_kind(ToolErrorKind::InvalidArguments);
    let plan = match params.todos {
        None => store.plan(),
        Some(todos) if params.merge => store.merge(todos).map_err(invalid)?,
        Some(todos) => store.replace(todos).map_err(invalid)?,
    };
    let snapshot = serde_json::json!({ "operation_id": context.call_id(), "items": plan.todos });
    let shown = PresentationEvent::new("plan.snapshot", snapshot);
    Ok(ToolOutput::from_content(Vec::new()).with_details(plan).present(shown))
}
