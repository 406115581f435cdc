//! Runs a turn to its end: ask the model, run its calls, record their results, decide how to go on.

mod conversation;
mod input;
mod outcome;
mod turn;

pub use input::TurnInput;
pub use outcome::{Anchor, CallSummary, CancelledCalls, Ending, Outcome};

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::dispatch::DispatchOptions;
use crate::event::{Events, Observer};
use crate::model::{Model, ToolChoice};
use crate::set::{ToolSet, ToolSetError};
use crate::tool::WorkerAgentTool;

use turn::Turn;

/// How many rounds a turn has by default.
pub const DEFAULT_ITERATION_LIMIT: u32 = 50;

/// A model and the tools of one turn, ready to run it.
///
/// ```
/// use tool_runtime::provider::RecordedModel;
/// use tool_runtime::{Agent, CancellationToken, Ending, ToolError, ToolSpec};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let clock = ToolSpec::new("clock", "Tells the time.")
///     .read_only(true)
///     .no_parameters()
///     .execute(|_, _| async { Ok::<_, ToolError>("noon") });
/// let model = RecordedModel::from_text(
///     r#"
///     {"status":"completed","output":[{"type":"function_call","call_id":"c1","name":"clock","arguments":"{}"}]}
///     {"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is noon."}]}]}
///     "#,
/// )?;
/// let outcome = Agent::new(model, vec![clock])?.run("What time is it?", &CancellationToken::new()).await?;
/// assert!(matches!(outcome.ending, Ending::Finished));
/// assert_eq!(outcome.text, "It is noon.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Agent {
    model: Arc<dyn Model>,
    set: ToolSet,
    options: Options,
}

/// What the host decides about a turn.
struct Options {
    instructions: Option<String>,
    iteration_limit: u32,
    tool_choice: ToolChoice,
    max_output_tokens: Option<u32>,
    dispatch: DispatchOptions,
    events: Events,
}

impl Agent {
    /// A turn of `model` with `tools`.
    ///
    /// # Errors
    ///
    /// When the tools are no set: see [`ToolSet::new`].
    pub fn new(model: impl Model + 'static, tools: Vec<WorkerAgentTool>) -> Result<Self, ToolSetError> {
        let options = Options {
            instructions: None,
            iteration_limit: DEFAULT_ITERATION_LIMIT,
            tool_choice: ToolChoice::Auto,
            max_output_tokens: None,
            dispatch: DispatchOptions::new(),
            events: Events::none(),
        };
        Ok(Self { model: Arc::new(model), set: ToolSet::new(tools)?, options })
    }

    /// Sets the standing instructions, which go with every request.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.options.instructions = Some(instructions.into());
        self
    }

    /// Sets how many rounds the model has with its tools; [`DEFAULT_ITERATION_LIMIT`] by default, at least 1.
    pub fn iteration_limit(mut self, limit: u32) -> Self {
        self.options.iteration_limit = limit.max(1);
        self
    }

    /// Sets whether the model has to call a tool. A forced call is forced in the first round only.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.options.tool_choice = choice;
        self
    }

    /// Sets the most tokens that the model may write in one response.
    pub fn max_output_tokens(mut self, limit: u32) -> Self {
        self.options.max_output_tokens = Some(limit);
        self
    }

    /// Sets how calls are run.
    pub fn dispatch(mut self, options: DispatchOptions) -> Self {
        self.options.dispatch = options;
        self
    }

    /// Sets who is told what happens.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.options.events = Events::to(Arc::new(observer));
        self
    }

    /// The tools of the turn.
    #[must_use]
    pub fn tools(&self) -> &ToolSet {
        &self.set
    }

    /// Runs the turn to its end. `input` is a text of the user, or a whole conversation: the
    /// [`items`](Outcome::items) of an earlier outcome with something new behind them.
    ///
    /// Whatever happens, the conversation of the outcome can be sent again: each call in it has one result, directly behind
    /// the response that asked for it.
    ///
    /// # Cancel safety
    ///
    /// When `cancel` fires, a request is given up, running calls have their grace, every call is answered, and the outcome
    /// says what ran. Dropping the future instead stops the work at its next `await` and leaves no outcome.
    pub async fn run(
        self,
        input: impl Into<TurnInput>,
        cancel: &CancellationToken,
    ) -> Result<Outcome, std::convert::Infallible> {
        Ok(Turn::new(self, input.into(), cancel).run().await)
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("tools", &self.set.len()).finish_non_exhaustive()
    }
}
