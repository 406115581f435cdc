//! The conversation of a turn as it grows. Each call in it has an id of its own and one result, directly behind the response
//! that asked for it.

use std::collections::HashSet;

use crate::call::{ToolCall, ToolResult};
use crate::dispatch::unique_ids;
use crate::model::{Item, ModelResponse};

use super::outcome::Anchor;

/// The conversation of a turn.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    pub(super) items: Vec<Item>,
    pub(super) first_new: usize,
    pub(super) anchor: Option<Anchor>,
    call_ids: HashSet<String>,
    /// Where the calls begin that still have to be answered.
    unanswered: usize,
}

impl Conversation {
    /// A conversation that begins with `items`.
    pub(super) fn open(items: Vec<Item>) -> Self {
        let call_ids = items.iter().filter_map(Item::as_call).map(|call| call.id.clone()).collect();
        Self { first_new: items.len(), unanswered: items.len(), call_ids, anchor: None, items }
    }

    /// Adds a response, and gives its calls, each with an id that no other call of the conversation has.
    pub(super) fn respond(&mut self, response: ModelResponse) -> Vec<ToolCall> {
        let anchor = response.anchor().map(str::to_owned);
        let mut calls: Vec<ToolCall> = response.calls().cloned().collect();
        unique_ids(&mut calls, |id| self.call_ids.contains(id));
        self.unanswered = self.items.len();
        self.items.extend(response.items);
        let mut renamed = false;
        for (own, call) in self.open_calls().zip(&calls) {
            renamed |= own.id != call.id;
            own.id.clone_from(&call.id);
        }
        self.call_ids.extend(calls.iter().map(|call| call.id.clone()));
        // The provider knows a renamed call under the old id only.
        let known = self.items.len();
        self.anchor = anchor.filter(|_| !renamed).map(|id| Anchor { id, known });
        calls
    }

    /// Adds the results of the last response's calls, one for each, in their order.
    pub(super) fn answer(&mut self, results: &[ToolResult]) {
        let calls = self.items.iter_mut().skip(self.unanswered).filter_map(|item| match item {
            Item::Call(call) => Some(call),
            _ => None,
        });
        calls.zip(results).for_each(|(call, result)| call.settle(result));
        self.items.extend(results.iter().map(Item::result));
        self.unanswered = self.items.len();
    }

    /// Says something in the place of the user.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.items.push(Item::user(text));
    }

    fn open_calls(&mut self) -> impl Iterator<Item = &mut ToolCall> {
        self.items.iter_mut().skip(self.unanswered).filter_map(|item| match item {
            Item::Call(item) => Some(&mut item.call),
            _ => None,
        })
    }
}
