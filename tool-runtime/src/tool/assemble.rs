//! From an author's function to a tool: the one place where parameters, labels, work and output meet.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde::Serialize;

use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{CallOutput, ToolOutput};

use super::{Activity, Definition, LabelsWanted, PreparedCall, WorkerAgentTool};

/// Makes the label of a finished call from its details. What it shows of the parameters was rendered before the call.
pub type CompletedLabel<D> = Box<dyn FnOnce(&D) -> Option<String> + Send>;

/// The labels of one call.
pub struct Labels<D> {
    /// Before the call and while it runs.
    pub activity: Activity,
    /// After it succeeded; `None` leaves the first label.
    pub completed: Option<CompletedLabel<D>>,
}

impl<D> Default for Labels<D> {
    fn default() -> Self {
        Self { activity: Activity::Generic, completed: None }
    }
}

/// Reads checked arguments into the tool's own type.
pub type Read<P> = fn(&str) -> Result<P, serde_json::Error>;

/// Makes a tool of its parts.
///
/// `labels` runs before `run` and only when somebody will read them; when it panics, the call goes on with the generic
/// label.
pub fn assemble<P, D, Work>(
    definition: Arc<Definition>,
    read: Read<P>,
    labels: impl Fn(&P) -> Labels<D> + Send + Sync + 'static,
    run: impl Fn(P, ToolContext) -> Work + Send + Sync + 'static,
) -> WorkerAgentTool
where
    P: Send + 'static,
    D: Serialize + Send + 'static,
    Work: Future<Output = Result<ToolOutput<D>, ToolError>> + Send + 'static,
{
    let run = Arc::new(run);
    let prepare = move |text: &str, context: ToolContext, wanted: LabelsWanted| {
        let params = read(text)?;
        let Labels { activity, completed } = match wanted {
            LabelsWanted::No => Labels::default(),
            LabelsWanted::Yes => catch_unwind(AssertUnwindSafe(|| labels(&params))).unwrap_or_default(),
        };
        let run = Arc::clone(&run);
        let work = async move {
            let output = run(params, context).await?;
            let completed =
                completed.and_then(|label| catch_unwind(AssertUnwindSafe(|| label(&output.details))).ok()?);
            let mut output = CallOutput::from_tool(output)?;
            output.completed_activity = completed;
            Ok(output)
        };
        Ok(PreparedCall { activity, work: Box::pin(work) })
    };
    WorkerAgentTool::from_parts(definition, Arc::new(prepare))
}
