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

/// A bare path in a list: a function that makes a tool, with or without state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not make a tool",
    label = "not a tool",
    note = "list functions with `#[worker_tool]`: `name` without state, `name(state)` with; other expressions in parentheses"
)]
pub trait Constructor<M> {
    type Function;

    fn function(self) -> Self::Function;
}

macro_rules! constructors {
    ($(($($state:ident)*))*) => {$(
        impl<F, $($state),*> Constructor<($($state,)*)> for F
        where
            F: FnOnce($($state),*) -> WorkerAgentTool,
        {
            type Function = F;

            fn function(self) -> F {
                self
            }
        }
    )*};
}

constructors! { () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E G) (A B C D E G H) (A B C D E G H I) }

/// The function, if it makes a tool.
pub fn constructor<F: Constructor<M>, M>(function: F) -> F::Function {
    function.function()
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
