//! Conversation items as the `messages` of a request.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::call::CallInput;
use crate::model::{AssistantItem, Item};
use crate::output::Content;
use crate::provider::body::separate;
use crate::provider::call_ids::CallIds;
use crate::provider::flat::wire_name;
use crate::provider::replay::{MAX_TEXT, cut, legal_arguments, tell_failure};
use crate::provider::rounds::{Asked, NO_RESULT, OPENING, Round, Said, Wrote, rounds};
use crate::set::ToolSet;

use super::FORMAT;
use super::content::{block, text};

/// The longest id of a call that the provider takes, in characters.
const MAX_CALL_ID: usize = 64;
/// The field of a native item that names the container of a program; it is no block.
pub(super) const CONTAINER: &str = "container";

/// Writes a conversation as `messages`, a JSON array, whatever stands in it.
///
/// What the model wrote in one round is one message, directly followed by one of the user that begins with one result for
/// each of its calls. Calls with broken arguments are sent with legal ones, names that the provider refuses are spelled with
/// `_`, ids that are empty, too long, of other characters or given twice are replaced, a call without a result gets one that
/// says so, and a result without a call is told as words of the user. Items that only another format understands are left
/// out, and so is thinking that was cut off before it was signed, or that nothing follows, and a call of a tool of the
/// provider that was never answered, unless the provider is to go on with it.
///
/// While a program waits for a result, nothing but results may be said: what the user says there follows with the next
/// message that may hold it, and is left out as long as there is none.
#[must_use]
pub fn encode_messages(set: &ToolSet, items: &[Item]) -> String {
    let mut messages = Messages::default();
    let mut held: Vec<&Said<'_>> = Vec::new();
    let rounds = sorted(items);
    let answered = answered(&rounds);
    for (index, round) in rounds.iter().enumerate() {
        let goes_on = index + 1 == rounds.len() && (round.said.is_empty() || is_pending(round));
        let is_kept = |wrote: &&Wrote<'_>| match wrote {
            Wrote::Native(value) => {
                is_replayable(value) && server_call(value).is_none_or(|id| goes_on || answered.contains(id))
            }
            Wrote::Text(_) | Wrote::Call(_) => true,
        };
        let mut wrote: Vec<&Wrote<'_>> = round.wrote.iter().filter(is_kept).collect();
        while wrote.pop_if(|last| matches!(last, Wrote::Native(value) if is_thinking(value))).is_some() {}
        messages.add("assistant", wrote.into_iter().filter_map(|wrote| written(set, wrote)));
        messages.add("user", round.calls().map(answer));
        held.extend(&round.said);
        if !is_pending(round) {
            messages.add("user", held.drain(..).flat_map(said));
        }
    }
    messages.finish()
}

/// The container of the program that waits for the last results, if there is one.
pub(super) fn waiting_container(items: &[Item]) -> Option<Value> {
    let rounds = sorted(items);
    let last = rounds.last().filter(|round| is_pending(round))?;
    last.wrote.iter().rev().find_map(|wrote| match wrote {
        Wrote::Native(value) => container(value).cloned(),
        Wrote::Text(_) | Wrote::Call(_) => None,
    })
}

fn sorted(items: &[Item]) -> Vec<Round<'_>> {
    let known = items.iter().filter_map(|item| match item {
        Item::Call(item) => Some(item.call.id.as_str()),
        Item::Opaque(native) => native.of_format(FORMAT)?.get("id").and_then(Value::as_str),
        _ => None,
    });
    let ids = CallIds::new(MAX_CALL_ID, known).only(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    rounds(items, FORMAT, ids)
}

/// Whether a program waits for results of this round.
fn is_pending(round: &Round<'_>) -> bool {
    let is_direct =
        |caller: &Value| caller.is_null() || caller.get("type").is_some_and(|kind| kind == "direct");
    round.calls().any(|call| {
        native_fields(call).and_then(|fields| fields.get("caller")).is_some_and(|caller| !is_direct(caller))
    })
}

fn container(native: &Value) -> Option<&Value> {
    native.get(CONTAINER).filter(|_| native.get("type").is_none())
}

/// Messages as text, neighbours of one role joined.
#[derive(Default)]
struct Messages {
    list: Vec<(&'static str, String)>,
}

impl Messages {
    fn add(&mut self, role: &'static str, blocks: impl Iterator<Item = String>) {
        for block in blocks {
            match self.list.last_mut() {
                Some((last, text)) if *last == role => {
                    text.push(',');
                    text.push_str(&block);
                }
                _ => self.list.push((role, block)),
            }
        }
    }

    /// The first message has to be the user's.
    fn finish(self) -> String {
        let mut text = "[".to_owned();
        if self.list.first().is_some_and(|(role, _)| *role != "user") {
            text.push_str(&json!({ "role": "user", "content": OPENING }).to_string());
        }
        for (role, blocks) in self.list {
            separate(&mut text);
            text.push_str(&format!(r#"{{"role":"{role}","content":[{blocks}]}}"#));
        }
        text.push(']');
        text
    }
}

fn written(set: &ToolSet, wrote: &Wrote<'_>) -> Option<String> {
    match wrote {
        Wrote::Text(message) => spoken(message).map(|block| block.to_string()),
        Wrote::Call(asked) => Some(tool_use(set, asked)),
        Wrote::Native(value) => Some(value.to_string()),
    }
}

/// The ids of the calls of the provider's own tools that have a result.
fn answered<'a>(rounds: &[Round<'a>]) -> HashSet<&'a str> {
    let wrote = rounds.iter().flat_map(|round| &round.wrote);
    let natives = wrote.filter_map(|wrote| match wrote {
        Wrote::Native(value) => Some(*value),
        Wrote::Text(_) | Wrote::Call(_) => None,
    });
    natives.filter_map(|value| value.get("tool_use_id")?.as_str()).collect()
}

/// The id of a call of a tool that the provider runs itself.
fn server_call(value: &Value) -> Option<&str> {
    let kind = value.get("type").and_then(Value::as_str)?;
    kind.ends_with("_tool_use").then(|| value.get("id").and_then(Value::as_str)).flatten()
}

fn is_thinking(value: &Value) -> bool {
    matches!(value.get("type").and_then(Value::as_str), Some("thinking" | "redacted_thinking"))
}

fn spoken(message: &AssistantItem) -> Option<Value> {
    let native = message.native.as_ref().and_then(|native| native.of_format(FORMAT));
    native.cloned().or_else(|| text(message.text.clone()))
}

/// Thinking without a signature was cut off, and is refused; a container is no block.
fn is_replayable(value: &Value) -> bool {
    let is_thinking = value.get("type").is_some_and(|kind| kind == "thinking");
    let is_signed =
        value.get("signature").and_then(Value::as_str).is_some_and(|signature| !signature.is_empty());
    container(value).is_none() && (!is_thinking || is_signed)
}

/// The block of a call. The arguments are copied as text, so that they keep every digit.
fn tool_use(set: &ToolSet, asked: &Asked<'_>) -> String {
    let call = &asked.item.call;
    let input = match &call.input {
        CallInput::Json(text) => legal_arguments(text),
        CallInput::Text(text) => json!({ "input": text }).to_string().into(),
    };
    let mut text = format!(
        r#"{{"type":"tool_use","id":{},"name":{},"input":{input}"#,
        Value::from(&*asked.id),
        Value::from(&*wire_name(set, call.namespace.as_deref(), &call.name)),
    );
    let more = native_fields(asked).into_iter().flatten();
    for (key, value) in more.filter(|(key, _)| !OWN_FIELDS.contains(&key.as_str())) {
        text.push_str(&format!(",{}:{value}", Value::from(&**key)));
    }
    text.push('}');
    text
}

/// What else the provider wrote with the call, who asked among it.
fn native_fields<'a>(asked: &Asked<'a>) -> Option<&'a Map<String, Value>> {
    asked.item.native.as_ref().and_then(|native| native.of_format(FORMAT)).and_then(Value::as_object)
}

/// The fields of a call that are written here.
const OWN_FIELDS: [&str; 4] = ["type", "id", "name", "input"];

fn answer(asked: &Asked<'_>) -> String {
    let (content, is_error) = match asked.result {
        Some(result) => (result_content(&result.content), result.is_error),
        None => (NO_RESULT.into(), true),
    };
    let mut block = json!({ "type": "tool_result", "tool_use_id": asked.id, "content": content });
    if let (Value::Object(block), true) = (&mut block, is_error) {
        block.insert("is_error".to_owned(), true.into());
    }
    block.to_string()
}

/// Texts alone are one string; with pictures or files among them, each is a block.
fn result_content(content: &[Content]) -> Value {
    if content.iter().all(|part| part.as_text().is_some()) {
        let text: String = content.iter().filter_map(Content::as_text).collect();
        return cut(text, MAX_TEXT).into();
    }
    content.iter().filter_map(block).collect()
}

fn said(said: &Said<'_>) -> Vec<String> {
    let heading = said.heading().and_then(text);
    let told = match said {
        Said::User(content) => content.iter().filter_map(block).collect(),
        Said::Unasked(result) => tell_failure(result).iter().filter_map(block).collect::<Vec<_>>(),
    };
    heading.into_iter().chain(told).map(|block| block.to_string()).collect()
}
