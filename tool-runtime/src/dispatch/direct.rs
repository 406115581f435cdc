//! One call without a turn around it.

use tokio_util::sync::CancellationToken;

use crate::arguments::Limits as ArgumentLimits;
use crate::call::{CallError, Caller};
use crate::context::ToolContext;
use crate::output::CallOutput;
use crate::panic::caught_future;
use crate::set::ToolSet;
use crate::tool::LabelsWanted;

use super::DispatchOptions;
use super::call::{Limits, supervise};
use super::prepare::{InputText, prepare};
use super::resolve;

impl ToolSet {
    /// Runs one call and gives its output: arguments repaired, checked and read, the tool's time limit kept, panics caught,
    /// output bounded. Spawns nothing and tells nobody.
    ///
    /// `name` is a bare name, `namespace.name`, or a name as a provider without namespaces gets it.
    ///
    /// # Errors
    ///
    /// The same as [`dispatch`](crate::dispatch) gives for a call.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the tool's work.
    pub async fn call(&self, name: &str, arguments: &str) -> Result<CallOutput, CallError> {
        let tool = resolve::tool(self, None, name, &Caller::Direct)?;
        let spec = tool.spec();
        let context = ToolContext::unwatched();
        // Without a time limit nobody but the tool needs its context.
        let limited = spec.timeout.is_some().then(|| context.clone());
        let limits = ArgumentLimits::default();
        let ready = prepare(self, tool, InputText::Json(arguments), context, LabelsWanted::No, &limits)?;
        let mut work = ready.prepared.work;
        let outcome = match limited {
            None => {
                let done = caught_future(&mut work).await;
                done.map_err(CallError::Panicked).and_then(|output| output.map_err(CallError::Tool))
            }
            Some(context) => {
                let limits = Limits { timeout: spec.timeout, grace: DispatchOptions::default().grace };
                supervise(work, &context, &CancellationToken::new(), &limits).await
            }
        };
        let mut output = outcome.map_err(|error| error.bound(spec.max_output))?;
        output.bound(spec.max_output);
        Ok(output)
    }
}
