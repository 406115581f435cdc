//! Entries of `tools![…]`.

use crate::tool::WorkerAgentTool;

/// An entry of a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "list functions with `#[worker_tool]`: `name` without state, `name(state)` with; a list of tools is spread with `..list`"
)]
pub trait Entry {
    fn into_tool(self) -> WorkerAgentTool;
}

impl Entry for WorkerAgentTool {
    fn into_tool(self) -> WorkerAgentTool {
        self
    }
}

/// A spread entry of a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of tools",
    label = "cannot be spread",
    note = "`..` takes a `Vec<WorkerAgentTool>` or another iterator of tools"
)]
pub trait Entries {
    fn extend(self, tools: &mut Vec<WorkerAgentTool>);
}

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item = WorkerAgentTool>> Entries for I {
    fn extend(self, tools: &mut Vec<WorkerAgentTool>) {
        tools.extend(self);
    }
}

/// Adds one tool.
pub fn push<T: Entry>(tools: &mut Vec<WorkerAgentTool>, tool: T) {
    tools.push(tool.into_tool());
}

/// Adds all tools of a list.
pub fn extend<T: Entries>(tools: &mut Vec<WorkerAgentTool>, entries: T) {
    entries.extend(tools);
}
