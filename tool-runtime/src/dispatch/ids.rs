//! Call ids that tie each result to its call.

use std::collections::HashSet;

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
    if are_unique(calls, &taken) {
        return;
    }
    let mut given: HashSet<String> = calls.iter().map(|call| call.id.clone()).collect();
    let mut seen: HashSet<String> = HashSet::with_capacity(calls.len());
    for call in calls {
        let blank = call.id.trim().is_empty();
        if blank || seen.contains(&call.id) || taken(&call.id) {
            let (stem, first) = if blank { ("call", 1) } else { (call.id.as_str(), 2) };
            let fresh = (first..).map(|number: u64| format!("{stem}_{number}"));
            let free =
                fresh.filter(|id| !given.contains(id) && !seen.contains(id) && !taken(id)).take(1).next();
            call.id = free.unwrap_or_default();
            given.insert(call.id.clone());
        }
        seen.insert(call.id.clone());
    }
}

/// Whether nothing has to be changed, as it mostly is: told without a copy of any id.
fn are_unique(calls: &[ToolCall], taken: impl Fn(&str) -> bool) -> bool {
    let mut seen = HashSet::with_capacity(calls.len());
    calls.iter().all(|call| {
        let id = call.id.as_str();
        !id.trim().is_empty() && !taken(id) && seen.insert(id)
    })
}
