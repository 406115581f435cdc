//! The undeclared `parallel` tool: some models put several calls into one.
//!
//! The provider knows only the wrapping call, so its children's results go back as one, in their order.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::call::{CallInput, ToolCall, ToolResult};
use crate::output::{CallOutput, Content};
use crate::set::ToolSet;

use super::resolve;

const NAMES: [&str; 2] = ["parallel", "multi_tool_use.parallel"];

/// A wrapping call and where its children stand among the calls to run.
pub(super) struct Wrapper {
    call: Arc<ToolCall>,
    first: usize,
    children: usize,
}

#[derive(Deserialize)]
struct Wrapped<'a> {
    #[serde(borrow)]
    tool_uses: Vec<ToolUse<'a>>,
}

#[derive(Deserialize)]
struct ToolUse<'a> {
    recipient_name: String,
    #[serde(borrow)]
    parameters: &'a RawValue,
}

/// Puts the children of each wrapping call in its place. A wrapper in which anything is unknown stays as it is and is
/// answered as the unknown tool that it names.
pub(super) fn unwrap_calls(set: &ToolSet, calls: Vec<Arc<ToolCall>>) -> (Vec<Arc<ToolCall>>, Vec<Wrapper>) {
    let mut wrappers = Vec::new();
    if !calls.iter().any(|call| is_named_as_wrapper(call)) {
        return (calls, wrappers);
    }
    let mut flat = Vec::with_capacity(calls.len());
    for call in calls {
        match children(set, &call) {
            None => flat.push(call),
            Some(children) => {
                wrappers.push(Wrapper { call, first: flat.len(), children: children.len() });
                flat.extend(children.into_iter().map(Arc::new));
            }
        }
    }
    (flat, wrappers)
}

fn is_named_as_wrapper(call: &ToolCall) -> bool {
    NAMES.contains(&call.name.as_str())
}

fn children(set: &ToolSet, call: &ToolCall) -> Option<Vec<ToolCall>> {
    let position = |call: &ToolCall| resolve::position(set, call.namespace.as_deref(), &call.name);
    if !is_named_as_wrapper(call) || position(call).is_some() {
        return None;
    }
    let CallInput::Json(text) = &call.input else { return None };
    let wrapped: Wrapped<'_> = serde_json::from_str(text).ok()?;
    let child = |(index, tool_use): (usize, &ToolUse<'_>)| {
        let name = tool_use.recipient_name.strip_prefix("functions.")?;
        let is_object = tool_use.parameters.get().starts_with('{');
        let child = ToolCall::new(format!("{}_{index}", call.id), name, tool_use.parameters.get())
            .by(call.caller.clone());
        (is_object && position(&child).is_some()).then_some(child)
    };
    let children: Option<Vec<ToolCall>> = wrapped.tool_uses.iter().enumerate().map(child).collect();
    children.filter(|children| !children.is_empty())
}

/// Joins the results of each wrapper's children into one.
pub(super) fn join_results(results: Vec<ToolResult>, wrappers: Vec<Wrapper>) -> Vec<ToolResult> {
    if wrappers.is_empty() {
        return results;
    }
    let mut joined = Vec::with_capacity(results.len());
    let mut results = results.into_iter().enumerate().peekable();
    for wrapper in wrappers {
        while let Some((_, result)) = results.next_if(|(index, _)| *index < wrapper.first) {
            joined.push(result);
        }
        let children = results.by_ref().take(wrapper.children).map(|(_, result)| result);
        joined.push(join(wrapper.call, children));
    }
    joined.extend(results.map(|(_, result)| result));
    joined
}

/// The children's answers line by line; a failed one says so in its text, as everywhere.
fn join(call: Arc<ToolCall>, children: impl Iterator<Item = ToolResult>) -> ToolResult {
    let mut output = CallOutput::default();
    let (mut repairs, mut loads) = (Vec::new(), Vec::new());
    let mut elapsed = Duration::ZERO;
    for (index, child) in children.enumerate() {
        if index > 0 {
            output.content.push(Content::Text("\n".to_owned()));
        }
        output.content.extend(child.for_model());
        repairs.extend(child.repairs);
        elapsed = elapsed.max(child.elapsed);
        if let Ok(child) = child.outcome {
            output.presentation.extend(child.presentation);
            output.completes.extend(child.completes);
            loads.extend(child.loads);
            output.ends_turn |= child.ends_turn;
        }
    }
    output.loads = loads.into();
    ToolResult { call, outcome: Ok(output), repairs, arguments: None, elapsed }
}
