//! How the last turn of a job ended, read from its conversation, so that a worker that takes over comes to the same end as
//! one that was there.

use serde_json::Value;
use tool_runtime::{CallInput, Content, Item, Recovered, ResultItem};

use crate::jobs::job::JobFailure;
use crate::jobs::store::End;

/// The tool whose question a job waits for.
const CLARIFY: &str = "clarify";

/// The end that a recorded turn came to; `None` if it has to go on.
pub(super) fn of_recorded(recorded: &Recovered) -> Option<End> {
    match recorded.ended.as_deref() {
        Some(kind) => settled(kind, &recorded.items),
        // The model has said its last word, and only that it is over was not written any more.
        None => match recorded.items.last() {
            Some(Item::Assistant(last)) if !last.text.is_empty() => settled("finished", &recorded.items),
            _ => None,
        },
    }
}

/// The end of a turn that ended like this, if it is one.
pub(super) fn settled(kind: &str, items: &[Item]) -> Option<End> {
    let failed = |words: &str| {
        let said = last_text(items);
        let words = if said.is_empty() { words.to_owned() } else { format!("{words}; it last said: {said}") };
        Some(End::Failed(JobFailure::new(kind, words, false)))
    };
    match kind {
        "finished" => Some(End::Succeeded(last_text(items))),
        "ended_by_tool" => {
            Some(question(items).map_or_else(|| End::Succeeded(last_text(items)), End::Waiting))
        }
        "iteration_limit" => failed("it was not done after the rounds that it had"),
        "not_accepted" => failed("its answer was not accepted"),
        "repeated_failure" => failed("a call failed again and again in the same way"),
        _ => None,
    }
}

/// What the model said in its last response: the texts behind the last result and the last message. Where a tool ended the
/// turn and the model said nothing with the call, what the tool gave.
fn last_text(items: &[Item]) -> String {
    let mut at = items.len();
    // Results stand behind the response whose calls they answer.
    while at > 0 && matches!(items[at - 1], Item::Result(_)) {
        at -= 1;
    }
    let results = &items[at..];
    let begin = items[..at].iter().rposition(|item| matches!(item, Item::User(_) | Item::Result(_)));
    let response = &items[begin.map_or(0, |begin| begin + 1)..at];
    let text: String = response
        .iter()
        .filter_map(|item| match item {
            Item::Assistant(item) => Some(item.text.as_str()),
            _ => None,
        })
        .collect();
    if !text.is_empty() {
        return text;
    }
    let given = results.iter().filter_map(|item| match item {
        Item::Result(result) if !result.is_error => Some(text_of(result)),
        _ => None,
    });
    given.collect()
}

fn text_of(result: &ResultItem) -> String {
    result.content.iter().filter_map(Content::as_text).collect()
}

/// The question that ended the turn.
fn question(items: &[Item]) -> Option<Value> {
    let results = items.iter().rev().map_while(|item| match item {
        Item::Result(result) => Some(result),
        _ => None,
    });
    let asked = results.filter(|result| !result.is_error && result.tool.name == CLARIFY).last()?;
    let call = items.iter().rev().filter_map(Item::as_call).find(|call| call.id == asked.call_id)?;
    let CallInput::Json(arguments) = &call.input else { return None };
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    Some(serde_json::json!({ "question": arguments.get("question"), "choices": arguments.get("choices") }))
}
