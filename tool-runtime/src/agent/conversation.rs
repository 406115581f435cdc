//! The conversation of a turn as it grows. Each call in it has an id of its own and one result, directly behind the response
//! that asked for it.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use crate::call::{ById, ToolCall, ToolResult};
use crate::dispatch::unique_shared_ids;
use crate::model::{Item, ModelResponse, Native};

use super::mend::mend;
use super::outcome::Anchor;

/// The conversation of a turn.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    items: Vec<Item>,
    first_new: usize,
    anchor: Option<Anchor>,
    calls: HashSet<ById>,
    /// Where the last response begins; behind the end if it is answered.
    open: usize,
}

impl Conversation {
    /// A conversation that begins with `items`, of which the provider knows those that `anchor` covers.
    pub(super) fn open(items: Vec<Item>, anchor: Option<Anchor>) -> Self {
        let (items, changed) = mend(items);
        let calls = items.iter().filter_map(Item::shared_call).cloned().map(ById).collect();
        let anchor = anchor.filter(|anchor| !changed && anchor.known <= items.len());
        Self { first_new: items.len(), open: items.len(), calls, anchor, items }
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    pub(super) fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }

    /// What the last response, or what was said after it, added.
    pub(super) fn since(&self, position: usize) -> &[Item] {
        self.items.get(position..).unwrap_or_default()
    }

    /// Adds a response, and gives its calls, each with an id that no other call of the conversation has.
    pub(super) fn respond(&mut self, mut response: ModelResponse) -> Vec<Arc<ToolCall>> {
        let anchor = response.anchor().map(str::to_owned);
        let mut calls: Vec<Arc<ToolCall>> =
            response.items.iter().filter_map(Item::shared_call).cloned().collect();
        unique_shared_ids(&mut calls, |id| self.calls.contains(id));
        if response.stop.is_cut() {
            drop_tail(&mut response.items, |_| true);
        } else if calls.is_empty() && response.text().trim().is_empty() {
            drop_tail(&mut response.items, is_reasoning);
        }
        self.open = self.items.len();
        self.items.extend(response.items);
        let mut renamed = false;
        let own = self.items.iter_mut().skip(self.open).filter_map(|item| match item {
            Item::Call(item) => Some(&mut item.call),
            _ => None,
        });
        for (own, call) in own.zip(&calls) {
            renamed |= own.id != call.id;
            *own = Arc::clone(call);
        }
        self.calls.extend(calls.iter().cloned().map(ById));
        // The provider knows a renamed call under its old id only.
        let known = self.items.len();
        self.anchor = anchor.filter(|_| !renamed).map(|id| Anchor { id, known });
        calls
    }

    /// Adds the results of the last response's calls, one for each, in their order.
    pub(super) fn answer(&mut self, results: &[ToolResult]) {
        let calls = self.items.iter_mut().skip(self.open).filter_map(|item| match item {
            Item::Call(call) => Some(call),
            _ => None,
        });
        calls.zip(results).for_each(|(call, result)| call.settle(result));
        self.items.extend(results.iter().map(Item::result));
        self.open = self.items.len();
    }

    /// Adds what was said in the place of the user.
    pub(super) fn say(&mut self, items: Vec<Item>) {
        self.items.extend(items);
        self.open = self.items.len();
    }

    /// The items, where the new ones begin, and what the provider knows of them.
    pub(super) fn close(self) -> (Vec<Item>, usize, Option<Anchor>) {
        (self.items, self.first_new, self.anchor)
    }
}

/// Leaves out what stands at the end and leads to nothing: providers refuse reasoning with nothing behind it, and a text that
/// says nothing.
fn drop_tail(items: &mut Vec<Item>, unfinished: fn(&Native) -> bool) {
    while let Some(last) = items.last() {
        match last {
            Item::Opaque(native) if unfinished(native) => {}
            Item::Assistant(message) if message.text.trim().is_empty() => {}
            _ => break,
        }
        items.pop();
    }
}

/// Whether it is what a model thought, in the words of any provider.
fn is_reasoning(native: &Native) -> bool {
    let kind = native.value.get("type").and_then(Value::as_str);
    matches!(kind, Some("reasoning" | "thinking" | "redacted_thinking"))
}
