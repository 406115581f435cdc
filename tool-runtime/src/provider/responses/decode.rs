//! A response object, read.

mod item;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::Caller;
use crate::model::{Item, ModelError, ModelResponse, StopReason, Usage};
use crate::provider::failure;

use item::decode_item;

/// What a response object holds of interest. Everything may be missing: servers that only speak the format leave out much.
#[derive(Deserialize)]
struct Response<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    status: Value,
    #[serde(borrow)]
    output: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    incomplete_details: Value,
    #[serde(default)]
    usage: Value,
}

/// Reads a response object.
///
/// An item of an unknown type is kept as it is. A call without an id gets an empty one, which dispatch replaces.
///
/// # Errors
///
/// When the provider reports a failure (in the response, or in its place), when the text is no response object, when the
/// response is not finished, and when an item lacks what it needs; the message names the item.
pub fn decode_response(text: &str) -> Result<ModelResponse, ModelError> {
    // serde would take a list for the object, field by field.
    if !text.trim_start().starts_with('{') {
        return Err(ModelError::response("the answer is no JSON object"));
    }
    let response: Response<'_> = serde_json::from_str(text)
        .map_err(|error| ModelError::response(format!("the answer is no response object: {error}")))?;
    if let Some(error) = reported_failure(&response) {
        return Err(error);
    }
    let Some(output) = &response.output else {
        return Err(ModelError::response("the answer is no response object: it has no list `output`"));
    };
    let mut stop = stop_reason(&response)?;
    let mut items = Vec::with_capacity(output.len());
    for (index, raw) in output.iter().enumerate() {
        let item = decode_item(index, raw.get())?;
        if stop == StopReason::Finished && is_unfinished_call(&item) {
            stop = StopReason::Other("unfinished call".to_owned());
        }
        items.push(item);
    }
    Ok(ModelResponse {
        id: response.id.as_str().map(str::to_owned),
        stop,
        usage: usage(&response.usage),
        ..ModelResponse::new(items)
    })
}

/// The failure that stands in the response, or in place of one.
fn reported_failure(response: &Response<'_>) -> Option<ModelError> {
    let status = response.status.as_str();
    if response.error.is_null() && !matches!(status, Some("failed" | "cancelled")) {
        return None;
    }
    let otherwise = || format!("the provider gave no reason (status `{}`)", status.unwrap_or("unknown"));
    Some(failure::reported(&response.error, otherwise))
}

fn stop_reason(response: &Response<'_>) -> Result<StopReason, ModelError> {
    let reason = response.incomplete_details.get("reason").and_then(Value::as_str);
    match (response.status.as_str(), reason) {
        (Some("queued" | "in_progress"), _) => Err(ModelError::response(
            "the response is not finished: its status says that the model still writes",
        )),
        (_, Some("max_output_tokens")) => Ok(StopReason::OutputLimit),
        (_, Some("content_filter")) => Ok(StopReason::Filtered),
        (_, Some(other)) => Ok(StopReason::Other(other.to_owned())),
        (Some("completed") | None, None) => Ok(StopReason::Finished),
        (Some(other), None) => Ok(StopReason::Other(other.to_owned())),
    }
}

/// Whether an item is a call that the model did not finish. A call by a program stays in progress until it is answered.
fn is_unfinished_call(item: &Item) -> bool {
    let Item::Call(item) = item else { return false };
    let status = item.native.as_ref().and_then(|native| native.value.get("status")).and_then(Value::as_str);
    item.call.caller == Caller::Direct && status.is_some_and(|status| status != "completed")
}

fn usage(usage: &Value) -> Usage {
    let count = |path: &str| usage.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("/input_tokens"),
        cached_input_tokens: count("/input_tokens_details/cached_tokens"),
        output_tokens: count("/output_tokens"),
        reasoning_tokens: count("/output_tokens_details/reasoning_tokens"),
    }
}
