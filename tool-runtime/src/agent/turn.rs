//! The rounds of a turn: ask the model, run its calls, record what came of them.

mod decide;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use crate::call::{CallError, ToolCall, ToolResult};
use crate::dispatch::dispatch_through;
use crate::event::{EventKind, TurnPhase};
use crate::model::{
    Item, ModelError, ModelRequest, ModelResponse, Offer, Previous, StopReason, ToolChoice, ToolName, Usage,
};

use super::ask::ask;
use super::conversation::Conversation;
use super::gate::{GateState, TurnGate};
use super::guard::Guard;
use super::input::TurnInput;
use super::journal::{JournalEntry, JournalError};
use super::outcome::{CancelledCalls, Ending, Outcome, TurnError};
use super::{Agent, Forcing, log};

/// A turn that runs.
pub(super) struct Turn<'a> {
    agent: Agent,
    cancel: &'a CancellationToken,
    conversation: Conversation,
    results: Vec<ToolResult>,
    guard: Guard,
    usage: Usage,
    iterations: u32,
    text: String,
    /// Tools of which the observer knows already that they are not enforced.
    strict_dropped: HashSet<String>,
    stage: Stage,
    /// Responses that were cut off.
    cuts: u32,
    /// Responses with a call that the provider could not read.
    malformed: u32,
    /// Whether the last response was paused, so that the next one is its rest.
    paused: bool,
    /// Whether the model was nudged since it last called a tool.
    nudged: bool,
    /// The tools that a correction left; `None` for all.
    offer: Option<Vec<ToolName>>,
    /// The choice of the next request.
    tool_choice: ToolChoice,
}

/// How far the turn is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The model works.
    Open,
    /// Its final answer was corrected once.
    Corrected,
    /// It was asked for a summary without tools.
    Synthesis,
}

/// What comes after a round.
enum Next {
    Round,
    End(Ending),
}

impl<'a> Turn<'a> {
    pub(super) fn new(agent: Agent, input: TurnInput, cancel: &'a CancellationToken) -> Self {
        let anchor = agent.options.anchor.clone();
        let mut turn = Self {
            cancel,
            conversation: Conversation::open(input.items, anchor),
            results: Vec::new(),
            guard: Guard::default(),
            usage: Usage::default(),
            iterations: 0,
            text: String::new(),
            strict_dropped: HashSet::new(),
            stage: Stage::Open,
            cuts: 0,
            malformed: 0,
            paused: false,
            nudged: false,
            offer: None,
            tool_choice: agent.options.tool_choice.clone(),
            agent,
        };
        turn.mark_found(0);
        turn
    }

    pub(super) async fn run(mut self) -> Result<Outcome, TurnError> {
        match self.rounds().await {
            Ok(ending) => {
                self.phase(TurnPhase::Ended);
                let (items, first_new, anchor) = self.conversation.close();
                let Self { results, usage, iterations, text, .. } = self;
                Ok(Outcome { ending, text, items, first_new, results, usage, iterations, anchor })
            }
            Err(error) => {
                self.phase(TurnPhase::Ended);
                let (items, ..) = self.conversation.close();
                Err(TurnError { error, items, results: self.results })
            }
        }
    }

    async fn rounds(&mut self) -> Result<Ending, JournalError> {
        self.record(JournalEntry::Began { items: Cow::Borrowed(self.conversation.items()) }).await?;
        let ending = loop {
            if let Next::End(ending) = self.round().await? {
                break ending;
            }
        };
        log::ended(&ending, self.iterations);
        self.record(JournalEntry::Ended { ending: Cow::Borrowed(ending.kind()) }).await?;
        Ok(ending)
    }

    /// Asks the model once and answers its calls.
    async fn round(&mut self) -> Result<Next, JournalError> {
        self.phase(TurnPhase::AskingModel);
        let response = match self.ask().await {
            None => return Ok(Next::End(Ending::Cancelled(CancelledCalls::of(&self.results)))),
            Some(Err(error)) => return Ok(Next::End(Ending::ModelFailed(error))),
            Some(Ok(response)) => response,
        };
        self.note(&response);
        let stop = response.stop.clone();
        let before = self.conversation.items().len();
        let calls = self.conversation.respond(response);
        self.mark_found(before);
        let items = Cow::Borrowed(self.conversation.since(before));
        let recorded = self.record(JournalEntry::Responded { items }).await;
        if calls.is_empty() {
            recorded?;
            return self.after_text(stop).await;
        }
        let first_result = self.results.len();
        self.answer(calls, &stop, recorded).await?;
        self.after_calls(first_result, stop).await
    }

    /// The next response; `None` if the turn is cancelled first.
    async fn ask(&mut self) -> Option<Result<ModelResponse, ModelError>> {
        let Self { agent, conversation, .. } = self;
        let options = &agent.options;
        let mut request = ModelRequest::new(&agent.set, conversation.items());
        request.instructions = options.instructions.as_deref();
        request.max_output_tokens = options.max_output_tokens;
        request.previous = conversation.anchor().map(|anchor| Previous::new(&anchor.id, anchor.known));
        request.offer = match (&self.offer, self.stage) {
            (_, Stage::Synthesis) => Offer::None,
            (Some(offer), _) => Offer::Only(offer),
            (None, _) => Offer::All,
        };
        request.tool_choice = match &self.tool_choice {
            _ if self.stage == Stage::Synthesis => ToolChoice::Auto,
            ToolChoice::Tool(name) if !request.offer.includes(name) => ToolChoice::Auto,
            choice => choice.clone(),
        };
        ask(agent.model.as_ref(), request, options.attempts, &options.events, self.cancel).await
    }

    /// Takes over what a response brings beside its items.
    fn note(&mut self, response: &ModelResponse) {
        self.iterations += 1;
        let before = if self.paused { std::mem::take(&mut self.text) } else { String::new() };
        self.text = before + &response.text();
        self.paused = response.stop == StopReason::Paused && response.calls().next().is_none();
        self.usage.add(&response.usage);
        match self.agent.options.forcing {
            _ if response.stop.is_cut() => {}
            Forcing::Once => self.tool_choice.relax(),
            Forcing::EveryRound => self.tool_choice.clone_from(&self.agent.options.tool_choice),
        }
        for dropped in &response.strict_dropped {
            if self.strict_dropped.insert(dropped.tool.clone()) {
                let (tool, reason) = (dropped.tool.clone(), dropped.reason.clone());
                self.agent.options.events.emit(EventKind::StrictDropped { tool, reason });
            }
        }
    }

    /// Answers the calls of the last response: adds one result for each to the conversation and to the journal.
    async fn answer(
        &mut self,
        calls: Vec<Arc<ToolCall>>,
        stop: &StopReason,
        recorded: Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        let gate = Arc::new(self.gate());
        let results = if recorded.is_err() {
            refuse(calls, |_| CallError::NotRecorded)
        } else if self.stage == Stage::Synthesis {
            refuse(calls, |_| CallError::LimitReached)
        } else if stop.is_cut() {
            refuse(calls, |call| CallError::ResponseCut { arrived: call.input.as_str().len() })
        } else {
            self.phase(TurnPhase::RunningTools);
            let Agent { set, options, .. } = &self.agent;
            let through = Arc::clone(&gate);
            dispatch_through(through, set, calls, &options.dispatch, &options.events, self.cancel).await
        };
        let recorded = match recorded {
            Ok(()) => gate.record_rest(&results).await,
            error => error,
        };
        let before = self.conversation.items().len();
        self.conversation.answer(&results);
        self.mark_found(before);
        self.results.extend(results);
        recorded
    }

    fn gate(&self) -> TurnGate {
        let options = &self.agent.options;
        TurnGate {
            journal: options.journal.clone(),
            approval: options.approval.clone(),
            events: options.events.clone(),
            offer: self.offer.clone(),
            state: Mutex::new(GateState::default()),
        }
    }

    /// Says something in the place of the user.
    async fn say(&mut self, items: Vec<Item>) -> Result<(), JournalError> {
        let before = self.conversation.items().len();
        self.conversation.say(items);
        let items = Cow::Borrowed(self.conversation.since(before));
        self.record(JournalEntry::Said { items }).await
    }

    async fn record(&self, entry: JournalEntry<'_>) -> Result<(), JournalError> {
        match &self.agent.options.journal {
            Some(journal) => journal.record(entry).await,
            None => Ok(()),
        }
    }

    /// Notes the tools that a search put before the model, from this item on.
    fn mark_found(&mut self, from: usize) {
        for item in self.conversation.since(from) {
            let tools = match item {
                Item::Loaded(loaded) => &loaded.tools,
                Item::Result(result) => &result.loaded,
                _ => continue,
            };
            for tool in tools {
                self.agent.set.mark_found(tool.namespace.as_deref(), &tool.name);
            }
        }
    }

    fn phase(&self, phase: TurnPhase) {
        self.agent.options.events.emit(EventKind::Phase(phase));
    }
}

/// Answers calls without running them.
fn refuse(calls: Vec<Arc<ToolCall>>, why: impl Fn(&ToolCall) -> CallError) -> Vec<ToolResult> {
    let refused = |call: Arc<ToolCall>| {
        let error = why(&call);
        ToolResult::refused(call, error)
    };
    calls.into_iter().map(refused).collect()
}
