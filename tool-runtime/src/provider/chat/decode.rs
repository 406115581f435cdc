//! A completion object, read.

mod message;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{ModelError, ModelResponse, StopReason, Usage};
use crate::provider::failure;
use crate::set::ToolSet;

use message::decode_message;
pub(super) use message::{is_custom, text_of};

/// What a completion object holds of interest. Everything may be missing: servers that only speak the format leave out
/// much.
#[derive(Deserialize)]
struct Completion<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    object: Value,
    #[serde(borrow)]
    choices: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: Value,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(default)]
    finish_reason: Value,
    #[serde(default)]
    error: Value,
}

/// Reads a completion object. `set` is the one of the request: it leads the flat names back to the tools they stand for.
///
/// A name that is not listed is kept as it is. A call without an id gets an empty one, which dispatch replaces.
///
/// # Errors
///
/// When the server reports a failure, when the text is no completion object, and when a call lacks its name; the message
/// names the place.
pub fn decode_response(text: &str, set: &ToolSet) -> Result<ModelResponse, ModelError> {
    // serde would take a list for the object, field by field.
    if !text.trim_start().starts_with('{') {
        return Err(ModelError::response("the answer is no JSON object"));
    }
    let completion: Completion<'_> = serde_json::from_str(text)
        .map_err(|error| ModelError::response(format!("the answer is no completion object: {error}")))?;
    if let Some(error) = reported_failure(text, &completion.object, &completion.error) {
        return Err(error);
    }
    let Some(choices) = &completion.choices else {
        return Err(ModelError::response("the answer is no completion object: it has no list `choices`"));
    };
    let choice = first_choice(choices)?;
    if !choice.error.is_null() {
        return Err(failure::reported(&choice.error, || NO_REASON.to_owned()));
    }
    let message = choice.message.map_or("{}", RawValue::get);
    Ok(ModelResponse {
        id: completion.id.as_str().map(str::to_owned),
        stop: stop_reason(&choice.finish_reason),
        usage: usage(&completion.usage),
        ..ModelResponse::new(decode_message(message, set)?)
    })
}

const NO_REASON: &str = "the server sent an error without a reason";

/// The failure that stands in place of a completion or of a chunk: in `error`, or as an object of the kind `error`.
pub(super) fn reported_failure(text: &str, object: &Value, error: &Value) -> Option<ModelError> {
    let otherwise = || NO_REASON.to_owned();
    if !error.is_null() {
        return Some(failure::reported(error, otherwise));
    }
    let is_error = object.as_str() == Some("error");
    is_error.then(|| failure::reported(&serde_json::from_str(text).unwrap_or_default(), otherwise))
}

/// The choice that is read: the first by number, or else by place.
fn first_choice<'a>(choices: &[&'a RawValue]) -> Result<Choice<'a>, ModelError> {
    let mut first = None;
    for (place, raw) in choices.iter().enumerate() {
        if !raw.get().starts_with('{') {
            return Err(ModelError::response(format!("`choices[{place}]` is no object")));
        }
        let choice: Choice<'a> = serde_json::from_str(raw.get())
            .map_err(|error| ModelError::response(format!("`choices[{place}]` cannot be read: {error}")))?;
        if choice.index.as_u64() == Some(0) {
            return Ok(choice);
        }
        first = first.or(Some(choice));
    }
    first.ok_or_else(|| ModelError::response("the answer holds no choice: the list `choices` is empty"))
}

/// Servers say `stop` before calls too, and some say nothing at all.
fn stop_reason(finish_reason: &Value) -> StopReason {
    match finish_reason.as_str().unwrap_or_default() {
        "" | "stop" | "tool_calls" | "function_call" | "eos_token" | "stop_sequence" => StopReason::Finished,
        "length" | "model_length" | "max_tokens" => StopReason::OutputLimit,
        "content_filter" => StopReason::Filtered,
        other => StopReason::Other(other.to_owned()),
    }
}

fn usage(usage: &Value) -> Usage {
    let count = |path: &str| usage.pointer(path).and_then(Value::as_u64);
    let cached = count("/prompt_tokens_details/cached_tokens").or_else(|| count("/prompt_cache_hit_tokens"));
    Usage {
        input_tokens: count("/prompt_tokens").unwrap_or(0),
        cached_input_tokens: cached.unwrap_or(0),
        output_tokens: count("/completion_tokens").unwrap_or(0),
        reasoning_tokens: count("/completion_tokens_details/reasoning_tokens").unwrap_or(0),
    }
}
