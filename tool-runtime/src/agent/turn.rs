//! The rounds of a turn.

use std::collections::HashSet;

use tokio_util::sync::CancellationToken;

use crate::call::{CallError, ToolCall, ToolResult};
use crate::dispatch::dispatch;
use crate::event::{EventKind, TurnPhase};
use crate::model::{
    Delta, Item, ModelError, ModelRequest, ModelResponse, Offer, Previous, StopReason, ToolChoice, Usage,
};

use super::Agent;
use super::conversation::Conversation;
use super::input::TurnInput;
use super::outcome::{CallSummary, CancelledCalls, Ending, Outcome};

/// A turn that runs.
pub(super) struct Turn<'a> {
    agent: Agent,
    cancel: &'a CancellationToken,
    conversation: Conversation,
    results: Vec<ToolResult>,
    usage: Usage,
    iterations: u32,
    cuts: u32,
    text: String,
    /// Tools of which the observer knows already that they are not enforced.
    strict_dropped: HashSet<String>,
    /// Whether this is the round without tools after the last.
    synthesis: bool,
}

impl<'a> Turn<'a> {
    pub(super) fn new(mut agent: Agent, input: TurnInput, cancel: &'a CancellationToken) -> Self {
        for item in &input.items {
            if let Item::Loaded(loaded) = item {
                for tool in &loaded.tools {
                    agent.set.mark_found(tool.namespace.as_deref(), &tool.name);
                }
            }
        }
        Self {
            agent,
            cancel,
            conversation: Conversation::open(input.items),
            results: Vec::new(),
            usage: Usage::default(),
            iterations: 0,
            cuts: 0,
            text: String::new(),
            strict_dropped: HashSet::new(),
            synthesis: false,
        }
    }

    pub(super) async fn run(mut self) -> Outcome {
        let ending = loop {
            if let Some(ending) = self.round().await {
                break ending;
            }
        };
        self.phase(TurnPhase::Ended);
        Outcome {
            ending,
            text: self.text,
            first_new: self.conversation.first_new,
            items: self.conversation.items,
            anchor: self.conversation.anchor,
            results: self.results,
            usage: self.usage,
            iterations: self.iterations,
        }
    }

    /// Asks the model once and answers its calls. `None` goes on.
    async fn round(&mut self) -> Option<Ending> {
        self.phase(TurnPhase::AskingModel);
        let response = match self.ask().await {
            None => return Some(Ending::Cancelled(CancelledCalls::of(&self.results))),
            Some(Err(error)) => return Some(Ending::ModelFailed(error)),
            Some(Ok(response)) => response,
        };
        self.note(&response);
        let stop = response.stop.clone();
        let calls = self.conversation.respond(response);
        if calls.is_empty() {
            return Some(match stop {
                _ if self.synthesis => self.limit_ending(),
                StopReason::Finished => Ending::Finished,
                cut => Ending::Cut(cut),
            });
        }
        let results = self.answer(calls, &stop).await;
        self.conversation.answer(&results);
        let ended_by = results.iter().find(|result| result.ends_turn()).map(CallSummary::of);
        self.results.extend(results);
        self.decide(ended_by, stop)
    }

    /// The next response; `None` if the turn is cancelled first.
    async fn ask(&self) -> Option<Result<ModelResponse, ModelError>> {
        let Self { agent, conversation, .. } = self;
        let options = &agent.options;
        let mut request = ModelRequest::new(&agent.set, &conversation.items);
        request.instructions = options.instructions.as_deref();
        request.max_output_tokens = options.max_output_tokens;
        request.previous = conversation.anchor.as_ref().map(|anchor| Previous::new(&anchor.id, anchor.known));
        request.tool_choice = match &options.tool_choice {
            ToolChoice::Required | ToolChoice::Tool(_) if self.iterations > 0 => ToolChoice::Auto,
            choice => choice.clone(),
        };
        if self.synthesis {
            request.offer = Offer::None;
        }
        let on_delta = |_: Delta| {};
        self.cancel.run_until_cancelled(agent.model.respond(request, &on_delta)).await
    }

    /// Takes over what a response brings beside its items.
    fn note(&mut self, response: &ModelResponse) {
        self.iterations += 1;
        self.text = response.text();
        self.usage.input_tokens += response.usage.input_tokens;
        self.usage.cached_input_tokens += response.usage.cached_input_tokens;
        self.usage.output_tokens += response.usage.output_tokens;
        self.usage.reasoning_tokens += response.usage.reasoning_tokens;
        for tool in response.loaded() {
            self.agent.set.mark_found(tool.namespace.as_deref(), &tool.name);
        }
        for dropped in &response.strict_dropped {
            if self.strict_dropped.insert(dropped.tool.clone()) {
                let (tool, reason) = (dropped.tool.clone(), dropped.reason.clone());
                self.agent.options.events.emit(EventKind::StrictDropped { tool, reason });
            }
        }
    }

    async fn answer(&self, calls: Vec<ToolCall>, stop: &StopReason) -> Vec<ToolResult> {
        if self.synthesis {
            return refuse(calls, |_| CallError::LimitReached);
        }
        if stop.is_cut() {
            return refuse(calls, |call| CallError::ResponseCut { arrived: call.input.as_str().len() });
        }
        self.phase(TurnPhase::RunningTools);
        let options = &self.agent.options;
        dispatch(&self.agent.set, calls, &options.dispatch, &options.events, self.cancel).await
    }

    fn decide(&mut self, ended_by: Option<CallSummary>, stop: StopReason) -> Option<Ending> {
        if self.synthesis {
            return Some(self.limit_ending());
        }
        if let Some(ended_by) = ended_by {
            return Some(Ending::EndedByTool(ended_by));
        }
        if self.cancel.is_cancelled() {
            return Some(Ending::Cancelled(CancelledCalls::of(&self.results)));
        }
        if stop.is_cut() {
            self.cuts += 1;
            if self.cuts > 1 {
                return Some(Ending::Cut(stop));
            }
        }
        let limit = self.agent.options.iteration_limit;
        if self.iterations >= limit {
            self.synthesis = true;
            self.conversation.say(format!(
                "The limit of {limit} rounds with tools is reached, and no tool can be called any more. Give your final \
                 answer now: what was done, what was found, and what is still open."
            ));
        }
        None
    }

    fn limit_ending(&self) -> Ending {
        Ending::IterationLimit { limit: self.agent.options.iteration_limit }
    }

    fn phase(&self, phase: TurnPhase) {
        self.agent.options.events.emit(EventKind::Phase(phase));
    }
}

/// Answers calls without running them.
fn refuse(calls: Vec<ToolCall>, why: impl Fn(&ToolCall) -> CallError) -> Vec<ToolResult> {
    calls
        .into_iter()
        .map(|call| {
            let error = why(&call);
            ToolResult::refused(call, error)
        })
        .collect()
}
