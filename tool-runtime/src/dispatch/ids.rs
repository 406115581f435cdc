//! Call ids that tie each result to its call.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::call::ToolCall;

/// Gives each call an id that no other call has, and that `taken` does not know.
///
/// An id that is there and new stays as it is. An empty one becomes `call_1`, `call_2` and so on, one given twice gets a
/// number behind it. Use the changed calls in the history, so that call and result agree.
///
/// ```
/// use tool_runtime::{ToolCall, unique_ids};
///
/// let mut calls = [ToolCall::new("x", "read", "{}"), ToolCall::new("x", "read", "{}"), ToolCall::new("", "list", "{}")];
/// unique_ids(&mut calls, |id| id == "call_1");
/// let ids: Vec<&str> = calls.iter().map(|call| &*call.id).collect();
/// assert_eq!(ids, ["x", "x_2", "call_2"]);
/// ```
pub fn unique_ids(calls: &mut [ToolCall], taken: impl Fn(&str) -> bool) {
    let fresh = fresh_ids(calls.iter().map(|call| &*call.id), taken);
    for (position, id) in fresh {
        if let Some(call) = calls.get_mut(position) {
            call.id = id;
        }
    }
}

/// [`unique_ids`] for calls that others hold too; those keep theirs.
pub(crate) fn unique_shared_ids(calls: &mut [Arc<ToolCall>], taken: impl Fn(&str) -> bool) {
    let fresh = fresh_ids(calls.iter().map(|call| &*call.id), taken);
    for (position, id) in fresh {
        if let Some(call) = calls.get_mut(position) {
            Arc::make_mut(call).id = id;
        }
    }
}

/// The ids that have to be replaced: where they stand, and what takes their place.
fn fresh_ids<'a>(
    ids: impl ExactSizeIterator<Item = &'a str> + Clone,
    taken: impl Fn(&str) -> bool,
) -> Vec<(usize, String)> {
    let mut fresh = Vec::new();
    if are_unique(ids.clone(), &taken) {
        return fresh;
    }
    let given: HashSet<&str> = ids.clone().collect();
    let mut seen: HashSet<&str> = HashSet::with_capacity(ids.len());
    let mut made: HashSet<String> = HashSet::new();
    // Where the search for a number goes on, so that many equal ids take no longer than their number.
    let mut numbers: HashMap<(&str, u64), u64> = HashMap::new();
    for (position, id) in ids.enumerate() {
        let is_blank = id.trim().is_empty();
        if !is_blank && !taken(id) && seen.insert(id) {
            continue;
        }
        let (stem, first) = if is_blank { ("call", 1) } else { (id, 2) };
        let number = numbers.entry((stem, first)).or_insert(first);
        let id = loop {
            let id = format!("{stem}_{number}");
            *number += 1;
            if !given.contains(&*id) && !made.contains(&id) && !taken(&id) {
                break id;
            }
        };
        made.insert(id.clone());
        fresh.push((position, id));
    }
    fresh
}

/// Whether nothing has to be changed, as it mostly is: told without a copy of any id.
fn are_unique<'a>(ids: impl ExactSizeIterator<Item = &'a str>, taken: impl Fn(&str) -> bool) -> bool {
    let mut seen = HashSet::with_capacity(ids.len());
    ids.into_iter().all(|id| !id.trim().is_empty() && !taken(id) && seen.insert(id))
}
