//! Conversation items as the `messages` of a request.

mod content;
mod rounds;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::call::CallInput;
use crate::model::{CallItem, Item};
use crate::output::Content;
use crate::provider::flat::wire_name;
use crate::provider::replay::legal_arguments;
use crate::set::ToolSet;

use super::FORMAT;
use super::settings::{Reasoning, Settings};
use content::{media_of, parts, result_text, unasked_result};
use rounds::{Block, Round, blocks};

/// Writes a conversation as `messages`, whatever stands in it.
///
/// What the model wrote in one round is one message, directly followed by one result for each of its calls. Calls with
/// broken arguments are sent with legal ones, names that the provider refuses are spelled with `_`, ids that are empty, too
/// long or given twice are replaced, a call without a result gets one that says so, and a result without a call is told as
/// a message of the user. Items that only another format understands are left out.
#[must_use]
pub fn encode_messages(
    settings: &Settings,
    set: &ToolSet,
    instructions: Option<&str>,
    items: &[Item],
) -> Vec<Value> {
    let blocks = blocks(items);
    let since_user = blocks.iter().rposition(|block| matches!(block, Block::User(_))).unwrap_or(0);
    let mut messages = Vec::with_capacity(items.len() + 1);
    messages.extend(instructions.map(|text| json!({ "role": "system", "content": text })));
    for (index, block) in blocks.iter().enumerate() {
        let with_reasoning = match settings.reasoning {
            Reasoning::Always => true,
            Reasoning::SinceUser => index >= since_user,
            Reasoning::Never => false,
        };
        match block {
            // The provider refuses a message without content.
            Block::User(content) if content.iter().all(Content::is_empty) => {}
            Block::User(content) => {
                messages.push(json!({ "role": "user", "content": parts(&settings.abilities, content) }));
            }
            Block::Unasked(result) => messages.push(unasked_result(&settings.abilities, result)),
            Block::Round(round) if round.is_silent() => {}
            Block::Round(round) => {
                messages.push(assistant(settings, set, round, with_reasoning));
                messages.extend(round.calls.iter().map(|call| {
                    let text = result_text(&settings.abilities, call.result);
                    json!({ "role": "tool", "tool_call_id": call.id, "content": text })
                }));
                messages.extend(media_of(&settings.abilities, round));
            }
        }
    }
    messages
}

fn assistant(settings: &Settings, set: &ToolSet, round: &Round<'_>, with_reasoning: bool) -> Value {
    let mut message = Map::new();
    message.insert("role".to_owned(), "assistant".into());
    let content = if round.text.is_empty() { Value::Null } else { round.text.as_str().into() };
    message.insert("content".to_owned(), content);
    if !round.refusal.is_empty() {
        message.insert("refusal".to_owned(), round.refusal.as_str().into());
    }
    for (field, value) in round.reasoning.iter().copied().flatten().filter(|_| with_reasoning) {
        message.insert(field.clone(), value.clone());
    }
    if !round.calls.is_empty() {
        let calls = round.calls.iter().map(|call| encode_call(settings, set, call.item, &call.id));
        message.insert("tool_calls".to_owned(), calls.collect());
    }
    Value::Object(message)
}

fn encode_call(settings: &Settings, set: &ToolSet, item: &CallItem, id: &str) -> Value {
    let call = &item.call;
    let (kind, key, input) = match &call.input {
        CallInput::Json(text) => ("function", "arguments", legal_arguments(text)),
        CallInput::Text(text) if settings.abilities.custom_tools => {
            ("custom", "input", Cow::Borrowed(&**text))
        }
        CallInput::Text(text) => ("function", "arguments", Cow::Owned(json!({ "input": text }).to_string())),
    };
    let native = item.native.as_ref().and_then(|native| native.of_format(FORMAT)).and_then(Value::as_object);
    let mut fields = native.cloned().unwrap_or_default();
    let mut inner = match fields.remove(kind) {
        Some(Value::Object(inner)) => inner,
        _ => Map::new(),
    };
    inner.insert("name".to_owned(), wire_name(set, call.namespace.as_deref(), &call.name).into());
    inner.insert(key.to_owned(), input.into());
    fields.insert("id".to_owned(), id.into());
    fields.insert("type".to_owned(), kind.into());
    fields.insert(kind.to_owned(), inner.into());
    Value::Object(fields)
}
