//! A conversation in the order that providers with strictly alternating messages want: what the model wrote, one answer for
//! each of its calls, and then what else was said.

use std::collections::HashMap;

use serde_json::Value;

use crate::model::{AssistantItem, CallItem, Item, ResultItem};
use crate::output::Content;

use super::call_ids::CallIds;

/// What stands for whatever came before a conversation that begins with the model.
pub(super) const OPENING: &str = "(the conversation goes on)";

/// What a call without a result is answered with, since providers refuse a conversation with an open call.
pub(super) const NO_RESULT: &str =
    "error: there is no result of this call: it may have run or not, and whatever it gave was lost";

/// What the model wrote in one go, and what was said to it then. The first may have nothing of the model.
#[derive(Default)]
pub(super) struct Round<'a> {
    pub(super) wrote: Vec<Wrote<'a>>,
    pub(super) said: Vec<Said<'a>>,
    /// Whether a result came, so that what the model writes from now on is another round.
    is_answered: bool,
}

/// A part of what the model wrote.
pub(super) enum Wrote<'a> {
    Text(&'a AssistantItem),
    Call(Asked<'a>),
    /// Something of this format.
    Native(&'a Value),
}

/// A call and its answer.
pub(super) struct Asked<'a> {
    pub(super) item: &'a CallItem,
    /// Its id on the wire.
    pub(super) id: String,
    pub(super) result: Option<&'a ResultItem>,
}

/// A part of what the model was told beside the answers.
pub(super) enum Said<'a> {
    User(&'a [Content]),
    /// A result whose call is not in the conversation, or has another result.
    Unasked(&'a ResultItem),
}

impl Said<'_> {
    /// What stands before the content.
    pub(super) fn heading(&self) -> Option<String> {
        match self {
            Self::User(_) => None,
            Self::Unasked(result) => {
                Some(format!("[the result of an earlier call of `{}`]\n", result.tool.display_name()))
            }
        }
    }
}

impl<'a> Round<'a> {
    /// The calls, in order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &Asked<'a>> {
        self.wrote.iter().filter_map(|wrote| match wrote {
            Wrote::Call(call) => Some(call),
            Wrote::Text(_) | Wrote::Native(_) => None,
        })
    }
}

/// Sorts a conversation. Each result goes to its call, wherever it stands; what another format than `format` brought is left
/// out.
pub(super) fn rounds<'a>(items: &'a [Item], format: &str, mut ids: CallIds<'a>) -> Vec<Round<'a>> {
    let mut places: HashMap<String, (usize, usize)> = HashMap::new();
    let mut rounds: Vec<Round<'a>> = Vec::new();
    for item in items {
        match item {
            Item::User(content) => last(&mut rounds).said.push(Said::User(content)),
            Item::Assistant(message) => open(&mut rounds).wrote.push(Wrote::Text(message)),
            Item::Call(item) => {
                let id = ids.of_call(&item.call.id);
                let round = open(&mut rounds);
                let at = round.wrote.len();
                round.wrote.push(Wrote::Call(Asked { item, id: id.clone(), result: None }));
                places.insert(id, (rounds.len().saturating_sub(1), at));
            }
            Item::Result(result) => {
                let place = ids.unanswered(&result.call_id).and_then(|id| places.remove(&id));
                if !answer(&mut rounds, place, result) {
                    last(&mut rounds).said.push(Said::Unasked(result));
                }
            }
            Item::Opaque(native) => {
                if let Some(value) = native.of_format(format) {
                    open(&mut rounds).wrote.push(Wrote::Native(value));
                }
            }
            Item::Loaded(loaded) => {
                if let Some(value) = loaded.native.of_format(format) {
                    open(&mut rounds).wrote.push(Wrote::Native(value));
                }
            }
        }
    }
    rounds
}

/// The last round.
fn last<'b, 'a>(rounds: &'b mut Vec<Round<'a>>) -> &'b mut Round<'a> {
    let at = rounds.len().saturating_sub(1);
    if rounds.is_empty() {
        rounds.push(Round::default());
    }
    // There is at least the one from above.
    &mut rounds[at]
}

/// The round that the model is in, or a new one.
fn open<'b, 'a>(rounds: &'b mut Vec<Round<'a>>) -> &'b mut Round<'a> {
    if rounds.last().is_some_and(|round| round.is_answered || !round.said.is_empty()) {
        rounds.push(Round::default());
    }
    last(rounds)
}

fn answer<'a>(rounds: &mut [Round<'a>], place: Option<(usize, usize)>, result: &'a ResultItem) -> bool {
    let Some((round, at)) = place else { return false };
    let Some(round) = rounds.get_mut(round) else { return false };
    let Some(Wrote::Call(call)) = round.wrote.get_mut(at) else { return false };
    call.result = Some(result);
    round.is_answered = true;
    true
}
