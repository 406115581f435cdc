//! A tool: what its author said, its parameters, and the closure that runs it.

mod activity;
mod assemble;
mod builder;
mod definition;
mod faults;

pub use activity::Activity;
pub(crate) use activity::bound_label;
pub(crate) use assemble::{CompletedLabel, Labels, Read, Work, finish, prepare};
pub use builder::{CompletedActivity, CompletedLabels, NoCompletedActivity, NoParameters, ToolBuilder};
pub(crate) use builder::{read_json, read_text};
pub use definition::Definition;
#[cfg(feature = "search")]
pub(crate) use definition::Search;
pub(crate) use definition::{Dialect, PerDialect, WireEntry};

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use crate::context::ToolContext;
use crate::spec::ToolSpec;

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The tools of the turn, as a tool that looks for others sees them.
pub(crate) trait Shelf {
    /// Whether the tool is before the model; `None` if the turn has none of this identity.
    #[cfg_attr(not(feature = "search"), expect(dead_code, reason = "only a search asks"))]
    fn is_loaded(&self, namespace: Option<&str>, name: &str) -> Option<bool>;
}

/// Reads checked arguments (JSON text that fits, or a custom tool's text) into the tool's own type, and gives the work; nothing
/// of it has run yet. A call that nobody watches has no context until its tool wants one. Where a label is wanted, there is a
/// place for the one before the call.
pub(crate) type Prepare = dyn Fn(&str, Option<&ToolContext>, Option<&mut Activity>, &dyn Shelf) -> Result<Work, serde_json::Error>
    + Send
    + Sync;

/// A complete tool: name, schema, flags, labels and work. Plain data and one closure; cheap to clone.
///
/// Made by `#[worker_tool]`, or by a [`ToolBuilder`] for tools that are known only when the
/// program runs. It exists for a turn because somebody lists it; see [`ToolSet::new`](crate::ToolSet::new).
#[derive(Clone)]
#[must_use]
pub struct WorkerAgentTool {
    definition: Arc<Definition>,
    prepare: Arc<Prepare>,
}

impl WorkerAgentTool {
    pub(crate) fn from_parts(definition: Arc<Definition>, prepare: Arc<Prepare>) -> Self {
        Self { definition, prepare }
    }

    /// What the author said about the tool.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        self.definition.spec()
    }

    /// The part that all instances of the tool share: spec, parameters, and what was made of them.
    #[must_use]
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    pub(crate) fn prepare(
        &self,
        text: &str,
        context: Option<&ToolContext>,
        label: Option<&mut Activity>,
        shelf: &dyn Shelf,
    ) -> Result<Work, serde_json::Error> {
        (self.prepare)(text, context, label, shelf)
    }
}

impl fmt::Debug for WorkerAgentTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerAgentTool").field("name", &self.spec().display_name()).finish_non_exhaustive()
    }
}
