//! Call ids that tie each result to its call.

use std::borrow::Borrow;
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
    rename(calls, taken, |call| call);
}

/// [`unique_ids`] for calls that others hold too; those keep theirs.
pub(crate) fn unique_shared_ids(calls: &mut [Arc<ToolCall>], taken: impl Fn(&str) -> bool) {
    rename(calls, taken, Arc::make_mut);
}

fn rename<C: Borrow<ToolCall>>(
    calls: &mut [C],
    taken: impl Fn(&str) -> bool,
    own: impl Fn(&mut C) -> &mut ToolCall,
) {
    for (position, id) in fresh_ids(calls, taken) {
        if let Some(call) = calls.get_mut(position) {
            own(call).id = id;
        }
    }
}

/// The ids that have to be replaced: where they stand, and what takes their place.
fn fresh_ids<C: Borrow<ToolCall>>(calls: &[C], taken: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
    let ids = || calls.iter().map(|call| call.borrow().id.as_str());
    let mut fresh = Vec::new();
    let mut sorted: Vec<&str> = ids().collect();
    sorted.sort_unstable();
    let is_unique = sorted.windows(2).all(|pair| matches!(pair, [id, next] if id != next));
    if is_unique && ids().all(|id| !id.trim().is_empty() && !taken(id)) {
        // As it mostly is.
        return fresh;
    }
    let mut seen: HashSet<&str> = HashSet::with_capacity(calls.len());
    let given: HashSet<&str> = ids().collect();
    let mut made: HashSet<String> = HashSet::new();
    // Where the search for a number goes on, by the id that gets one, or `None` for those without: so that many equal ids take
    // no longer than their number.
    let mut numbers: HashMap<Option<&str>, u64> = HashMap::new();
    for (position, id) in ids().enumerate() {
        let given_id = Some(id).filter(|id| !id.trim().is_empty());
        if given_id.is_some_and(|id| !taken(id) && seen.insert(id)) {
            continue;
        }
        let (stem, first) = given_id.map_or(("call", 1), |id| (id, 2));
        let number = numbers.entry(given_id).or_insert(first);
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
