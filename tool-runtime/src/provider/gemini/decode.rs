//! A response, read.

mod part;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{ModelError, ModelResponse, StopReason, Usage};
use crate::provider::failure;
use crate::set::ToolSet;

use part::decode_part;

/// The longest words of the provider about why it stopped, in characters.
const MAX_REASON: usize = 500;

/// What a response holds of interest. Everything may be missing.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response<'a> {
    #[serde(default)]
    pub(super) response_id: Value,
    #[serde(borrow)]
    pub(super) candidates: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    pub(super) prompt_feedback: Value,
    #[serde(default)]
    pub(super) usage_metadata: Value,
    #[serde(default)]
    pub(super) error: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    #[serde(default)]
    pub(super) index: Value,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) finish_reason: Value,
    #[serde(default)]
    pub(super) finish_message: Value,
}

#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    parts: Option<Vec<&'a RawValue>>,
}

/// Reads a response. `set` is the one of the request: it leads the flat names back to the tools they stand for.
///
/// A part of an unknown kind is kept as it is, and so is a name that is not listed. A call without an id gets an empty one,
/// which dispatch replaces.
///
/// # Errors
///
/// When the provider reports a failure or blocked the request, when the text is no response, and when a part lacks what it
/// needs; the message names the part.
pub fn decode_response(text: &str, set: &ToolSet) -> Result<ModelResponse, ModelError> {
    let response = read(text, "the answer")?;
    let candidate = first_candidate(&response)?;
    let Some(candidate) = candidate else {
        return Err(ModelError::response("the answer holds no candidate"));
    };
    let parts = parts(&candidate)?;
    let mut items = Vec::with_capacity(parts.len());
    for (index, raw) in parts.iter().enumerate() {
        items.push(decode_part(index, raw.get(), set)?);
    }
    Ok(ModelResponse {
        id: response.response_id.as_str().map(str::to_owned),
        stop: stop_reason(&candidate.finish_reason, &candidate.finish_message),
        usage: usage(&response.usage_metadata),
        ..ModelResponse::new(items)
    })
}

/// Reads the outer object; `what` names it in errors.
pub(super) fn read<'a>(text: &'a str, what: &str) -> Result<Response<'a>, ModelError> {
    // serde would take a list for the object, field by field.
    if !text.trim_start().starts_with('{') {
        return Err(ModelError::response(format!("{what} is no JSON object")));
    }
    let response: Response<'_> = serde_json::from_str(text)
        .map_err(|error| ModelError::response(format!("{what} is no response object: {error}")))?;
    if !response.error.is_null() {
        return Err(reported(&response.error));
    }
    let blocked = response.prompt_feedback.get("blockReason").and_then(Value::as_str);
    match blocked {
        Some(reason) => {
            let more = response.prompt_feedback.get("blockReasonMessage").and_then(Value::as_str);
            let message = more.map_or_else(|| "the provider blocked the request".to_owned(), str::to_owned);
            Err(ModelError::provider(message, false).with_code(reason))
        }
        None => Ok(response),
    }
}

/// A failure. Its name says more than its number.
fn reported(error: &Value) -> ModelError {
    let failure = failure::reported(error, || "the provider sent an error without a reason".to_owned());
    let status = error.get("status").and_then(Value::as_str);
    let heals = |status: &str| {
        matches!(status, "RESOURCE_EXHAUSTED" | "UNAVAILABLE" | "INTERNAL" | "DEADLINE_EXCEEDED" | "ABORTED")
    };
    match status {
        Some(status) => {
            ModelError { retryable: failure.retryable || heals(status), ..failure.with_code(status) }
        }
        None => failure,
    }
}

/// The candidate that is read: the first by number, or else by place.
pub(super) fn first_candidate<'a>(response: &Response<'a>) -> Result<Option<Candidate<'a>>, ModelError> {
    let mut first = None;
    for (place, raw) in response.candidates.iter().flatten().enumerate() {
        if !raw.get().starts_with('{') {
            return Err(ModelError::response(format!("`candidates[{place}]` is no object")));
        }
        let candidate: Candidate<'a> = serde_json::from_str(raw.get()).map_err(|error| {
            ModelError::response(format!("`candidates[{place}]` cannot be read: {error}"))
        })?;
        match candidate.index.as_u64() {
            Some(0) => return Ok(Some(candidate)),
            // Other candidates are other answers.
            Some(_) => {}
            None => first = first.or(Some(candidate)),
        }
    }
    Ok(first)
}

/// The parts of a candidate; none where it has no content, since it was filtered or said nothing.
pub(super) fn parts<'a>(candidate: &Candidate<'a>) -> Result<Vec<&'a RawValue>, ModelError> {
    let Some(content) = candidate.content.filter(|content| content.get().starts_with('{')) else {
        return Ok(Vec::new());
    };
    let parts: Parts<'a> = serde_json::from_str(content.get()).map_err(|error| {
        ModelError::response(format!("the `content` of the answer cannot be read: {error}"))
    })?;
    Ok(parts.parts.unwrap_or_default())
}

fn stop_reason(reason: &Value, message: &Value) -> StopReason {
    match reason.as_str().unwrap_or_default() {
        "" | "STOP" | "FINISH_REASON_UNSPECIFIED" => StopReason::Finished,
        "MAX_TOKENS" => StopReason::OutputLimit,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => StopReason::Filtered,
        // There is no call then, and the message holds what the model wrote.
        call @ ("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL") => {
            StopReason::MalformedCall(in_words(call, message))
        }
        other => StopReason::Other(in_words(other, message)),
    }
}

fn in_words(reason: &str, message: &Value) -> String {
    match message.as_str().filter(|message| !message.is_empty()) {
        Some(message) => format!("{reason}: {}", message.chars().take(MAX_REASON).collect::<String>()),
        None => reason.to_owned(),
    }
}

fn usage(usage: &Value) -> Usage {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64).unwrap_or(0);
    let thoughts = count("thoughtsTokenCount");
    Usage {
        input_tokens: count("promptTokenCount").saturating_add(count("toolUsePromptTokenCount")),
        cached_input_tokens: count("cachedContentTokenCount"),
        output_tokens: count("candidatesTokenCount").saturating_add(thoughts),
        reasoning_tokens: thoughts,
    }
}
