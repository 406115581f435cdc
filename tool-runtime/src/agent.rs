//! Runs a turn to its end: ask the model, run its calls, record their results, decide how to go on.

mod approval;
mod ask;
mod conversation;
mod correction;
mod delivery;
mod gate;
mod guard;
mod input;
mod journal;
mod log;
mod mend;
mod outcome;
mod span;
mod steering;
mod texts;
mod turn;

pub use approval::{
    Approval, ApprovalRequest, ApprovalRequests, AskPerson, Decision, PendingApproval, ask_person,
};
pub use correction::{Correction, FinalAnswer};
pub use delivery::{EventReceiver, EventSender, event_channel};
pub use guard::FailureLimits;
pub use input::TurnInput;
pub use journal::{
    FileJournal, Journal, JournalEntry, JournalError, JournalSync, MemoryJournal, Recovered, recover,
};
pub use outcome::{Anchor, CallSummary, CancelledCalls, Ending, Outcome, TurnError};
pub use steering::Steering;

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::dispatch::DispatchOptions;
use crate::event::{Events, Observer};
use crate::model::{Model, ToolChoice};
use crate::set::{ToolSet, ToolSetError};
use crate::tool::WorkerAgentTool;

use correction::CheckAnswer;
use delivery::OwnThread;
use span::TurnSpan;
use turn::Turn;

/// How many rounds a turn has by default.
pub const DEFAULT_ITERATION_LIMIT: u32 = 50;

/// A model and the tools of one turn, ready to run it. Runs on a tokio runtime whose timer is on.
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
    forcing: Forcing,
    max_output_tokens: Option<u32>,
    attempts: u32,
    nudge: bool,
    failures: FailureLimits,
    anchor: Option<Anchor>,
    dispatch: DispatchOptions,
    check_answer: Option<Box<CheckAnswer>>,
    steering: Steering,
    journal: Option<Arc<dyn Journal>>,
    approval: Option<Arc<dyn Approval>>,
    events: Events,
}

/// How long a call is forced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forcing {
    Once,
    EveryRound,
}

impl Agent {
    /// A turn of `model` with `tools`.
    ///
    /// # Errors
    ///
    /// When the tools are no set: see [`ToolSet::new`].
    pub fn new(model: impl Model + 'static, tools: Vec<WorkerAgentTool>) -> Result<Self, ToolSetError> {
        Ok(Self { model: Arc::new(model), set: ToolSet::new(tools)?, options: Options::default() })
    }

    /// A turn that changes nothing: tools that are not read-only are left out of it.
    ///
    /// # Errors
    ///
    /// When the tools that are left are no set: see [`ToolSet::new`].
    pub fn read_only(model: impl Model + 'static, tools: Vec<WorkerAgentTool>) -> Result<Self, ToolSetError> {
        Self::new(model, tools.into_iter().filter(|tool| tool.spec().read_only).collect())
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

    /// Sets whether the model has to call a tool. A forced call is forced in the first round only (and again after a
    /// response that was cut off), since a model that always has to call can never give an answer.
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.options.tool_choice = choice;
        self.options.forcing = Forcing::Once;
        self
    }

    /// Sets whether the model has to call a tool, for every round. With a forced call, only a tool can end the turn before
    /// its limit.
    pub fn tool_choice_every_round(mut self, choice: ToolChoice) -> Self {
        self.options.tool_choice = choice;
        self.options.forcing = Forcing::EveryRound;
        self
    }

    /// Sets the most tokens that the model may write in one response.
    pub fn max_output_tokens(mut self, limit: u32) -> Self {
        self.options.max_output_tokens = Some(limit);
        self
    }

    /// Sets how often a request is made in all before its failure ends the turn; 3 by default, at least 1. Requests are
    /// repeated only where the error says that it may help and nothing of an answer was shown.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.options.attempts = attempts.max(1);
        self
    }

    /// Sets whether a model that answers the results of tools with nothing is asked once to go on; it is by default.
    pub fn nudge(mut self, nudge: bool) -> Self {
        self.options.nudge = nudge;
        self
    }

    /// Sets how often a call may fail in the same way.
    pub fn failures(mut self, limits: FailureLimits) -> Self {
        self.options.failures = limits;
        self
    }

    /// Sets what looks at the model's final answer: `None` accepts it. A first correction is told to the model, which then
    /// has another try; the answer after that ends the turn with [`Ending::NotAccepted`] if it is corrected again.
    pub fn check_answer(
        mut self,
        check: impl Fn(&FinalAnswer<'_>) -> Option<Correction> + Send + Sync + 'static,
    ) -> Self {
        self.options.check_answer = Some(Box::new(check));
        self
    }

    /// Sets what the user can say while the turn runs.
    pub fn steering(mut self, steering: Steering) -> Self {
        self.options.steering = steering;
        self
    }

    /// Sets what records the turn while it runs. By default the outcome is the only record.
    pub fn journal(mut self, journal: impl Journal + 'static) -> Self {
        self.options.journal = Some(Arc::new(journal));
        self
    }

    /// Sets who is asked before a tool that may destroy something starts. By default everything is allowed.
    pub fn approval(mut self, approval: impl Approval + 'static) -> Self {
        self.options.approval = Some(Arc::new(approval));
        self
    }

    /// Sets how calls are run.
    pub fn dispatch(mut self, options: DispatchOptions) -> Self {
        self.options.dispatch = options;
        self
    }

    /// Goes on from a response that the provider still knows: the anchor of the outcome whose items are the beginning of the
    /// input.
    pub fn anchor(mut self, anchor: Anchor) -> Self {
        self.options.anchor = Some(anchor);
        self
    }

    /// Sets who is told what happens. It is told on a thread of its own, a moment later, so it cannot hold the turn however
    /// slow it is; while 10,000 events wait for it, more are left out, which shows as a gap in their revisions.
    ///
    /// To read the events where you are, see [`events`](Self::events). The last one set counts.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.options.events = Events::to(OwnThread::new(observer));
        self
    }

    /// Sends the events of the turn into a channel, see [`event_channel`].
    pub fn events(mut self, events: EventSender) -> Self {
        self.options.events = Events::to(events);
        self
    }

    /// The tools of the turn.
    #[must_use]
    pub fn tools(&self) -> &ToolSet {
        &self.set
    }

    /// Runs the turn to its end. `input` is a text of the user, or a whole conversation: the
    /// [`items`](Outcome::items) of an earlier outcome with something new behind them. Whatever came into it, it is sent in
    /// a form that providers take: a call without a result gets one that says so, a result without a call is left out.
    ///
    /// However the turn ends, the conversation of the outcome can be sent again: each call in it has one result, behind the
    /// response that asked for it.
    ///
    /// # Errors
    ///
    /// Only when the journal fails. That the model failed, or a tool, or that a limit was reached, is an
    /// [ending](Outcome::ending).
    ///
    /// # Cancel safety
    ///
    /// When `cancel` fires, a request is given up, running calls have their grace, every call is answered, and the outcome
    /// says what ran. Dropping the future instead stops the work at its next `await` and leaves no outcome; a journal then
    /// tells what was done.
    pub async fn run(
        self,
        input: impl Into<TurnInput>,
        cancel: &CancellationToken,
    ) -> Result<Outcome, TurnError> {
        let span = TurnSpan::open(&self.model.info());
        span.around(Turn::new(self, input.into(), cancel).run()).await
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            instructions: None,
            iteration_limit: DEFAULT_ITERATION_LIMIT,
            tool_choice: ToolChoice::Auto,
            forcing: Forcing::Once,
            max_output_tokens: None,
            attempts: 3,
            nudge: true,
            failures: FailureLimits::default(),
            anchor: None,
            dispatch: DispatchOptions::new(),
            check_answer: None,
            steering: Steering::new(),
            journal: None,
            approval: None,
            events: Events::none(),
        }
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent").field("tools", &self.set.len()).finish_non_exhaustive()
    }
}
