//! From an author's function to a tool: the one place where parameters, labels, work and output meet.

use std::sync::Arc;

use serde::Serialize;

use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{CallOutput, ToolOutput};
use crate::panic::caught;

use super::{Activity, BoxFuture, Definition, LabelsWanted, PreparedCall, Shelf, WorkerAgentTool};

/// Makes the label of a finished call from its details. What it shows of the parameters was rendered before the call.
pub(crate) type CompletedLabel<D> = Box<dyn FnOnce(&D) -> Option<String> + Send>;

/// The labels of one call.
pub(crate) struct Labels<D> {
    /// Before the call and while it runs.
    pub(crate) activity: Activity,
    /// After it succeeded; `None` leaves the first label.
    pub(crate) completed: Option<CompletedLabel<D>>,
}

impl<D> Default for Labels<D> {
    fn default() -> Self {
        Self { activity: Activity::Generic, completed: None }
    }
}

/// Reads checked arguments into the tool's own type.
pub(crate) type Read<P> = fn(&str) -> Result<P, serde_json::Error>;

/// The work of one call; nothing of it runs before it is polled.
pub(crate) type Work = BoxFuture<'static, Result<CallOutput, ToolError>>;

/// Makes a tool of its parts.
///
/// `labels` runs before the work and only when somebody will read them; when it panics, the call goes on with the generic
/// label. `start` makes the work, which ends with [`finish`].
pub(crate) fn assemble<P: 'static, D: 'static>(
    definition: Arc<Definition>,
    read: Read<P>,
    labels: impl Fn(&P) -> Labels<D> + Send + Sync + 'static,
    start: impl Fn(P, ToolContext, Option<CompletedLabel<D>>) -> Work + Send + Sync + 'static,
) -> WorkerAgentTool {
    let prepare = move |text: &str, context: ToolContext, wanted: LabelsWanted, _: &dyn Shelf| {
        let params = read(text)?;
        let Labels { activity, completed } = match wanted {
            LabelsWanted::No => Labels::default(),
            LabelsWanted::Yes => caught(|| labels(&params)).unwrap_or_default(),
        };
        Ok(PreparedCall { activity, work: start(params, context, completed) })
    };
    WorkerAgentTool::from_parts(definition, Arc::new(prepare))
}

/// What a tool gave, as the output of its call with its label. A label that panics is left out.
///
/// # Errors
///
/// When the details cannot be written as JSON.
pub(crate) fn finish<D: Serialize + 'static>(
    output: ToolOutput<D>,
    completed: Option<CompletedLabel<D>>,
) -> Result<CallOutput, ToolError> {
    let label = completed.and_then(|label| caught(|| label(&output.details)).ok()?);
    let mut output = CallOutput::from_tool(output)?;
    output.completed_activity = label;
    Ok(output)
}
