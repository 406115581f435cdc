//! Makes a conversation that came from outside one that providers accept.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::call::{CallError, CallInput, Interrupted, ToolCall, ToolResult};
use crate::dispatch::unique_shared_ids;
use crate::model::{CallItem, Item, ResultItem};

/// Gives every call an id of its own and exactly one result, behind the response that asked for it and before anything
/// else: results that stand elsewhere are moved there, missing ones are made, and those of no call are left out. Also gives
/// whether anything had to be changed.
pub(super) fn mend(items: Vec<Item>) -> (Vec<Item>, bool) {
    if is_well_formed(&items) {
        return (items, false);
    }
    let mut results: HashMap<String, VecDeque<ResultItem>> = HashMap::new();
    for item in &items {
        if let Item::Result(result) = item {
            results.entry(result.call_id.clone()).or_default().push_back(result.clone());
        }
    }
    let mut mended =
        Mended { items: Vec::with_capacity(items.len()), open: Vec::new(), ids: HashSet::new(), results };
    for item in items {
        match item {
            Item::Call(call) => mended.call(call),
            Item::Result(_) => mended.close(),
            Item::User(_) => {
                mended.close();
                mended.items.push(item);
            }
            other => mended.items.push(other),
        }
    }
    mended.close();
    (mended.items, true)
}

struct Mended {
    items: Vec<Item>,
    /// The calls that wait for their results: where they stand, and the id that they came with.
    open: Vec<(usize, String)>,
    ids: HashSet<String>,
    results: HashMap<String, VecDeque<ResultItem>>,
}

impl Mended {
    fn call(&mut self, mut item: CallItem) {
        let came_with = item.call.id.clone();
        unique_shared_ids(std::slice::from_mut(&mut item.call), |id| self.ids.contains(id));
        self.ids.insert(item.call.id.clone());
        self.open.push((self.items.len(), came_with));
        self.items.push(Item::Call(item));
    }

    fn close(&mut self) {
        for (position, came_with) in std::mem::take(&mut self.open) {
            let Some(call) = self.items.get(position).and_then(Item::shared_call) else { continue };
            let found = self.results.get_mut(&came_with).and_then(VecDeque::pop_front);
            let result = match found {
                Some(ResultItem { content, is_error, loaded, .. }) => {
                    Item::Result(ResultItem { loaded, ..ResultItem::new(call, content, is_error) })
                }
                None => {
                    let error = CallError::BrokenOff(Interrupted::WhileRunning);
                    Item::result(&ToolResult::refused(Arc::clone(call), error))
                }
            };
            self.items.push(result);
        }
    }
}

fn is_well_formed(items: &[Item]) -> bool {
    let mut ids = HashSet::new();
    let mut open: Vec<&ToolCall> = Vec::new();
    let mut answering = false;
    for item in items {
        match item {
            Item::Call(item) => {
                let is_new = !item.call.id.trim().is_empty() && ids.insert(item.call.id.as_str());
                if !is_new || (answering && !open.is_empty()) {
                    return false;
                }
                answering = false;
                open.push(&item.call);
            }
            Item::Result(result) => {
                let Some(at) = open.iter().position(|call| answers(result, call)) else { return false };
                open.remove(at);
                answering = true;
            }
            Item::User(_) if !open.is_empty() => return false,
            _ if answering && !open.is_empty() => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Whether a result is the answer to the call, and of its kind.
fn answers(result: &ResultItem, call: &ToolCall) -> bool {
    let ResultItem { call_id, tool, is_text_call, caller, .. } = result;
    (call_id, &tool.namespace, &tool.name, caller) == (&call.id, &call.namespace, &call.name, &call.caller)
        && *is_text_call == matches!(call.input, CallInput::Text(_))
}
