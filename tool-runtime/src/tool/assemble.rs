//! From an author's function to a tool: the one place where parameters, labels, work and output meet.

use std::sync::Arc;

use serde::Serialize;

use crate::call::CallError;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{CallOutput, ToolOutput};
use crate::panic::caught;

use super::{Activity, BoxFuture, Prepare, Shelf};

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
pub(crate) type Work = BoxFuture<'static, Result<CallOutput, CallError>>;

/// Makes the closure that gets a call from its arguments to its work.
///
/// `labels` runs before the work and only when somebody will read them; when it panics, the call goes on with the generic
/// label. `start` makes the work, which ends with [`finish`].
pub(crate) fn prepare<P: 'static, D: 'static>(
    read: impl Fn(&str) -> Result<P, serde_json::Error> + Send + Sync + 'static,
    labels: impl Fn(&P) -> Labels<D> + Send + Sync + 'static,
    start: impl Fn(P, ToolContext, Option<CompletedLabel<D>>) -> Work + Send + Sync + 'static,
) -> Arc<Prepare> {
    Arc::new(move |text: &str, context: Option<&ToolContext>, label: Option<&mut Activity>, _: &dyn Shelf| {
        let context = context.map_or_else(ToolContext::unwatched, ToolContext::clone);
        // What no label looks at goes straight into the work.
        let Some(label) = label else { return Ok(start(read(text)?, context, None)) };
        let params = read(text)?;
        let Labels { activity, completed } = caught(|| labels(&params)).unwrap_or_default();
        *label = activity;
        Ok(start(params, context, completed))
    })
}

/// What a tool gave, as the output of its call with its label. A label that panics is left out.
///
/// # Errors
///
/// The tool's own, or that its details cannot be written as JSON.
#[inline]
pub(crate) fn finish<D: Serialize + 'static>(
    returned: Result<ToolOutput<D>, ToolError>,
    completed: Option<CompletedLabel<D>>,
) -> Result<CallOutput, CallError> {
    let label = |details: &D| {
        let label = completed.and_then(|label| caught(|| label(details)).ok()?);
        label.map(String::into_boxed_str)
    };
    returned.and_then(|output| CallOutput::from_tool(output, label)).map_err(CallError::Tool)
}
