//! The order that the format wants: all that a model wrote in a round, then the results of its calls, then the rest.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::model::{AssistantItem, CallItem, Item, ResultItem};
use crate::output::Content;
use crate::provider::call_ids::CallIds;
use crate::provider::chat::{FORMAT, REASONING_FIELDS};

/// The longest id of a call that the provider takes, in characters.
const MAX_CALL_ID: usize = 40;
/// The most calls that one message may hold.
const MAX_CALLS: usize = 128;

/// What stands together in a conversation.
pub(super) enum Block<'a> {
    User(&'a [Content]),
    Round(Round<'a>),
    /// A result whose call is not in the conversation, or has another result.
    Unasked(&'a ResultItem),
}

/// What the model wrote in one round, and what was answered.
#[derive(Default)]
pub(super) struct Round<'a> {
    pub(super) text: String,
    pub(super) refusal: String,
    pub(super) reasoning: Vec<&'a Map<String, Value>>,
    pub(super) calls: Vec<Asked<'a>>,
    /// Whether a result came, so that what the model writes from now on is another round.
    is_answered: bool,
}

impl Round<'_> {
    /// Whether it holds nothing that can be a message.
    pub(super) fn is_silent(&self) -> bool {
        self.text.is_empty() && self.refusal.is_empty() && self.calls.is_empty()
    }
}

/// A call of a round.
pub(super) struct Asked<'a> {
    pub(super) item: &'a CallItem,
    pub(super) id: String,
    pub(super) result: Option<&'a ResultItem>,
}

/// Sorts a conversation. Each result goes to its call, wherever it stands.
pub(super) fn blocks(items: &[Item]) -> Vec<Block<'_>> {
    let known = items.iter().filter_map(|item| item.as_call().map(|call| call.id.as_str()));
    let mut ids = CallIds::new(MAX_CALL_ID, known);
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    let mut blocks = Vec::new();
    for item in items {
        match item {
            Item::User(content) => blocks.push(Block::User(content)),
            Item::Assistant(message) => in_round(&mut blocks, |_| true, |round| round.say(message)),
            Item::Opaque(native) => {
                let reasoning = native.of_format(FORMAT).and_then(Value::as_object);
                if let Some(fields) = reasoning.filter(|fields| is_reasoning(fields)) {
                    // It stands before all that it led to.
                    let is_new = |round: &Round<'_>| round.is_silent() && round.reasoning.is_empty();
                    in_round(&mut blocks, is_new, |round| round.reasoning.push(fields));
                }
            }
            Item::Call(item) => {
                let id = ids.of_call(&item.call.id);
                let asked = Asked { item, id: id.clone(), result: None };
                let has_room = |round: &Round<'_>| round.calls.len() < MAX_CALLS;
                let call = in_round(&mut blocks, has_room, |round| {
                    round.calls.push(asked);
                    round.calls.len() - 1
                });
                places.insert(id, (blocks.len() - 1, call));
            }
            Item::Result(result) => {
                let place = ids.unanswered(&result.call_id).and_then(|id| places.remove(&id));
                if !answer(&mut blocks, place, result) {
                    blocks.push(Block::Unasked(result));
                }
            }
            Item::Loaded(_) => {}
        }
    }
    blocks
}

fn is_reasoning(fields: &Map<String, Value>) -> bool {
    fields.keys().all(|key| REASONING_FIELDS.contains(&key.as_str()))
}

/// Changes the round that the model is in, if it takes more; else a new one.
fn in_round<'a, T>(
    blocks: &mut Vec<Block<'a>>,
    takes_more: impl Fn(&Round<'a>) -> bool,
    change: impl FnOnce(&mut Round<'a>) -> T,
) -> T {
    let mut round = match blocks.pop() {
        Some(Block::Round(round)) if !round.is_answered && takes_more(&round) => round,
        other => {
            blocks.extend(other);
            Round::default()
        }
    };
    let made = change(&mut round);
    blocks.push(Block::Round(round));
    made
}

fn answer<'a>(blocks: &mut [Block<'a>], place: Option<(usize, usize)>, result: &'a ResultItem) -> bool {
    let Some((block, call)) = place else { return false };
    let Some(Block::Round(round)) = blocks.get_mut(block) else { return false };
    let Some(asked) = round.calls.get_mut(call) else { return false };
    asked.result = Some(result);
    round.is_answered = true;
    true
}

impl Round<'_> {
    fn say(&mut self, message: &AssistantItem) {
        let native = message.native.as_ref().and_then(|native| native.of_format(FORMAT));
        let is_refusal = native.is_some_and(|native| native.get("refusal").is_some_and(Value::is_string));
        let target = if is_refusal { &mut self.refusal } else { &mut self.text };
        if !target.is_empty() && !message.text.is_empty() {
            target.push_str("\n\n");
        }
        target.push_str(&message.text);
    }
}
