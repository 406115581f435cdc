//! Where a plan is kept.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TodoChange;

/// The most tasks of a plan.
pub(super) const MAX_TODOS: usize = 256;

/// How far a task is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    #[default]
    Pending,
    /// At work.
    InProgress,
    /// Done.
    Completed,
    /// Given up.
    Cancelled,
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Todo {
    /// What the task is called in later changes.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// How far it is.
    pub status: Status,
}

/// The plan, and how far it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Plan {
    /// The tasks, most important first.
    pub todos: Vec<Todo>,
    /// How many there are of each state.
    pub summary: Summary,
}

/// Tasks by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// All of them.
    pub total: usize,
    /// Not begun.
    pub pending: usize,
    /// At work.
    pub in_progress: usize,
    /// Done.
    pub completed: usize,
    /// Given up.
    pub cancelled: usize,
}

/// Keeps a plan. Clones share it, so a host that keeps the store carries the plan from turn to turn.
#[derive(Clone, Debug, Default)]
pub struct TodoStore {
    todos: Arc<Mutex<Vec<Todo>>>,
}

impl TodoStore {
    /// An empty plan.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A plan that was kept elsewhere, as [`plan`](Self::plan) gave it. Of more than 256 tasks, the first are kept.
    #[must_use]
    pub fn restore(todos: impl IntoIterator<Item = Todo>) -> Self {
        Self { todos: Arc::new(Mutex::new(todos.into_iter().take(MAX_TODOS).collect())) }
    }

    /// The plan as it stands.
    #[must_use]
    pub fn plan(&self) -> Plan {
        Plan::of(&self.lock())
    }

    /// Puts `changes` in the plan's place. Of two with one id the last counts, in its place.
    ///
    /// # Errors
    ///
    /// When a task has no id or no content. The plan then stays as it was.
    pub(super) fn replace(&self, changes: Vec<TodoChange>) -> Result<Plan, String> {
        let mut todos: Vec<Todo> = Vec::with_capacity(changes.len());
        for change in changes {
            let change = trimmed(change)?;
            todos.retain(|known| known.id != change.id);
            todos.push(new_todo(change)?);
        }
        let mut kept = self.lock();
        *kept = todos;
        Ok(Plan::of(&kept))
    }

    /// Changes the tasks that are known and adds the others behind them.
    ///
    /// # Errors
    ///
    /// When a task has no id, a new one has no content, or there would be too many. The plan then stays as it was.
    pub(super) fn merge(&self, changes: Vec<TodoChange>) -> Result<Plan, String> {
        let mut kept = self.lock();
        let mut todos = kept.clone();
        for change in changes {
            let change = trimmed(change)?;
            match todos.iter_mut().find(|known| known.id == change.id) {
                None => todos.push(new_todo(change)?),
                Some(known) => {
                    known.status = change.status.unwrap_or(known.status);
                    known.content = change.content.unwrap_or_else(|| std::mem::take(&mut known.content));
                }
            }
        }
        if todos.len() > MAX_TODOS {
            return Err(format!(
                "the plan would have {} tasks and holds at most {MAX_TODOS}; join some, or replace the plan without those that are done",
                todos.len()
            ));
        }
        *kept = todos;
        Ok(Plan::of(&kept))
    }

    /// A panic while the lock was held left a whole list behind, since changes are made on a copy.
    fn lock(&self) -> MutexGuard<'_, Vec<Todo>> {
        self.todos.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Without white space around its texts; a blank content is none.
fn trimmed(change: TodoChange) -> Result<TodoChange, String> {
    let TodoChange { id, content, status } = change;
    let id = id.trim().to_owned();
    if id.is_empty() {
        return Err("a task has a blank `id`; give each a short one, as `1` or `tests`".to_owned());
    }
    let content = content.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(TodoChange { id, content, status })
}

fn new_todo(change: TodoChange) -> Result<Todo, String> {
    let TodoChange { id, content, status } = change;
    match content {
        Some(content) => Ok(Todo { id, content, status: status.unwrap_or_default() }),
        None => Err(format!("the task `{id}` is new and has no `content`; say what is to be done")),
    }
}

impl Plan {
    fn of(todos: &[Todo]) -> Self {
        let mut summary = Summary { total: todos.len(), ..Summary::default() };
        for todo in todos {
            let count = match todo.status {
                Status::Pending => &mut summary.pending,
                Status::InProgress => &mut summary.in_progress,
                Status::Completed => &mut summary.completed,
                Status::Cancelled => &mut summary.cancelled,
            };
            *count += 1;
        }
        Self { todos: todos.to_vec(), summary }
    }
}
