//! One call without a turn around it.

use tokio_util::sync::CancellationToken;

use crate::arguments::Limits as ArgumentLimits;
use crate::call::{CallError, Caller};
use crate::context::ToolContext;
use crate::output::CallOutput;
use crate::set::ToolSet;
use crate::tool::{Work, WorkerAgentTool};

use super::DispatchOptions;
use super::call::{Finished, Limits, bound, supervise};
use super::prepare::{InputText, decode, fits, work};
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
        if spec.timeout.is_some() {
            let context = ToolContext::unwatched();
            let mut work = self.work(tool, arguments, Some(&context))?;
            let limits = Limits { timeout: spec.timeout, grace: DispatchOptions::default().grace };
            // Boxed, so that the future of a call without a limit, as most are, stays small.
            let mut outcome =
                Box::pin(supervise(&mut work, &context, &CancellationToken::new(), &limits)).await;
            bound(&mut outcome, spec.max_output);
            return outcome;
        }
        // Without a time limit nobody but the tool needs its context.
        Finished { work: self.work(tool, arguments, None)?, max_output: spec.max_output }.await
    }

    /// The work of a call; nothing of it has run.
    fn work(
        &self,
        tool: &WorkerAgentTool,
        arguments: &str,
        context: Option<&ToolContext>,
    ) -> Result<Work, CallError> {
        let decoded;
        let arguments = if fits(tool, arguments) {
            arguments
        } else {
            decoded = decode(tool, InputText::Json(arguments), &ArgumentLimits::default())?;
            &decoded.text
        };
        work(self, tool, arguments, context, None)
    }
}
