//! A message, read.

mod block;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::Caller;
use crate::model::{Item, ModelError, ModelResponse, Native, StopReason, Usage};
use crate::provider::failure;
use crate::set::ToolSet;

use super::FORMAT;
use super::messages::CONTAINER;
use block::decode_block;

/// What a message holds of interest. Everything may be missing: servers that only speak the format leave out much.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(default, rename = "type")]
    kind: Value,
    #[serde(default)]
    id: Value,
    #[serde(borrow)]
    content: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    stop_reason: Value,
    #[serde(default)]
    container: Value,
    #[serde(default)]
    usage: Value,
    #[serde(default)]
    error: Value,
}

/// Reads a message. `set` is the one of the request: it leads the flat names back to the tools they stand for.
///
/// A block of an unknown type is kept as it is, and so is a name that is not listed. A call without an id gets an empty one,
/// which dispatch replaces.
///
/// # Errors
///
/// When the provider reports a failure, when the text is no message, and when a block lacks what it needs; the message names
/// the block.
pub fn decode_response(text: &str, set: &ToolSet) -> Result<ModelResponse, ModelError> {
    // serde would take a list for the object, field by field.
    if !text.trim_start().starts_with('{') {
        return Err(ModelError::response("the answer is no JSON object"));
    }
    let message: Message<'_> = serde_json::from_str(text)
        .map_err(|error| ModelError::response(format!("the answer is no message: {error}")))?;
    if let Some(error) = reported_failure(&message.kind, &message.error) {
        return Err(error);
    }
    let Some(content) = &message.content else {
        return Err(ModelError::response("the answer is no message: it has no list `content`"));
    };
    let mut items = Vec::with_capacity(content.len());
    for (index, raw) in content.iter().enumerate() {
        items.push(decode_block(index, raw.get(), set)?);
    }
    items.extend(container(&message.container, &items));
    Ok(ModelResponse {
        id: message.id.as_str().map(str::to_owned),
        stop: stop_reason(&message.stop_reason),
        usage: usage(&message.usage),
        ..ModelResponse::new(items)
    })
}

/// The failure that stands in place of a message or of an event.
pub(super) fn reported_failure(kind: &Value, error: &Value) -> Option<ModelError> {
    let otherwise = || "the provider sent an error without a reason".to_owned();
    (kind == "error" || !error.is_null()).then(|| failure::reported(error, otherwise))
}

/// The container of a program that waits for results has to be named when they are sent.
fn container(container: &Value, items: &[Item]) -> Option<Item> {
    let id = container.get("id").and_then(Value::as_str)?;
    let waits = items.iter().filter_map(Item::as_call).any(|call| call.caller != Caller::Direct);
    waits.then(|| Item::Opaque(Native::new(FORMAT, json!({ CONTAINER: id }))))
}

fn stop_reason(reason: &Value) -> StopReason {
    match reason.as_str().unwrap_or_default() {
        "" | "end_turn" | "tool_use" | "stop_sequence" => StopReason::Finished,
        "max_tokens" | "model_context_window_exceeded" => StopReason::OutputLimit,
        "refusal" => StopReason::Filtered,
        "pause_turn" => StopReason::Paused,
        other => StopReason::Other(other.to_owned()),
    }
}

/// The provider counts what came out of its cache, and what went in, apart from the rest.
fn usage(usage: &Value) -> Usage {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let cached = count("cache_read_input_tokens");
    let input = count("input_tokens").saturating_add(cached);
    Usage {
        input_tokens: input.saturating_add(count("cache_creation_input_tokens")),
        cached_input_tokens: cached,
        output_tokens: count("output_tokens"),
        reasoning_tokens: 0,
    }
}
