//! The message of a completion.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::call::CallInput;
use crate::model::{AssistantItem, CallItem, Item, ModelError, Native};
use crate::provider::chat::{FORMAT, REASONING_FIELDS};
use crate::provider::flat::named_call;
use crate::set::ToolSet;

type Fields = Map<String, Value>;

/// Reads a message into what it says, in the order in which models write it: reasoning, text, calls.
pub(super) fn decode_message(json: &str, set: &ToolSet) -> Result<Vec<Item>, ModelError> {
    let cannot = |error| ModelError::response(format!("the message of the answer cannot be read: {error}"));
    let fields: Fields = serde_json::from_str(json).map_err(cannot)?;
    let calls: RawCalls<'_> = serde_json::from_str(json).map_err(cannot)?;
    let mut items = Vec::new();
    items.extend(reasoning(&fields));
    let text = fields.get("content").map(text_of).unwrap_or_default();
    if !text.is_empty() {
        items.push(Item::assistant(text));
    }
    if let Some(refusal) = fields.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        let native = Native::new(FORMAT, json!({ "refusal": refusal }));
        items.push(Item::Assistant(AssistantItem::new(refusal, Some(native))));
    }
    for (index, raw) in calls.tool_calls.unwrap_or_default().iter().enumerate() {
        items.push(decode_call(raw.get(), &format!("`tool_calls[{index}]`"), set)?);
    }
    if let Some(raw) = calls.function_call {
        items.push(decode_call(raw.get(), "`function_call`", set)?);
    }
    Ok(items)
}

/// The calls as text, since a parsed number would lose digits. The second is the old form: one call, without an id.
#[derive(Deserialize)]
struct RawCalls<'a> {
    #[serde(borrow)]
    tool_calls: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    function_call: Option<&'a RawValue>,
}

fn reasoning(fields: &Fields) -> Option<Item> {
    let given = |field: &str| fields.get(field).filter(|value| !value.is_null());
    let kept = REASONING_FIELDS.iter().filter_map(|&field| Some((field.to_owned(), given(field)?.clone())));
    let kept: Fields = kept.collect();
    (!kept.is_empty()).then(|| Item::Opaque(Native::new(FORMAT, Value::Object(kept))))
}

/// A text, or the text parts of a list.
pub(in crate::provider::chat) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let text = |part: &'_ Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
            parts.iter().filter_map(text).collect()
        }
        _ => String::new(),
    }
}

/// Whether a call is one with free text.
pub(in crate::provider::chat) fn is_custom(call: &Fields) -> bool {
    call.get("type").is_some_and(|kind| kind == "custom") || call.get("custom").is_some_and(Value::is_object)
}

fn decode_call(json: &str, place: &str, set: &ToolSet) -> Result<Item, ModelError> {
    let cannot = |error| ModelError::response(format!("{place} cannot be read: {error}"));
    let mut fields: Fields = serde_json::from_str(json).map_err(cannot)?;
    let raw: RawCall<'_> = serde_json::from_str(json).map_err(cannot)?;
    let is_custom = is_custom(&fields);
    let (kind, key) = if is_custom { ("custom", "input") } else { ("function", "arguments") };
    // What is called stands inside; in the old form, and on some servers, beside.
    let (mut inner, raw) = match (fields.remove(kind), raw.inner(kind)) {
        (Some(Value::Object(inner)), Some(raw)) => (inner, serde_json::from_str(raw).map_err(cannot)?),
        _ => (std::mem::take(&mut fields), raw),
    };
    let name = match inner.remove("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return Err(ModelError::response(format!("{place} has no `name`"))),
    };
    let written = match inner.remove(key) {
        Some(Value::String(text)) => text,
        Some(Value::Null) | None => String::new(),
        // Some servers write an object instead of its text.
        Some(_) => raw.input(key).to_owned(),
    };
    let id = [&mut fields, &mut inner].into_iter().find_map(|fields| fields.remove("id"));
    for known in ["type", "index"] {
        fields.remove(known);
        inner.remove(known);
    }
    if !inner.is_empty() {
        fields.insert(kind.to_owned(), Value::Object(inner));
    }
    let input = if is_custom { CallInput::Text(written) } else { CallInput::Json(written) };
    let call = named_call(set, id.as_ref().map(text_of).unwrap_or_default(), &name, input);
    let native = (!fields.is_empty()).then(|| Native::new(FORMAT, Value::Object(fields)));
    Ok(Item::Call(CallItem::new(call, native)))
}

/// What of a call has to be read as text.
#[derive(Clone, Copy, Deserialize)]
struct RawCall<'a> {
    #[serde(borrow)]
    function: Option<&'a RawValue>,
    #[serde(borrow)]
    custom: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

impl<'a> RawCall<'a> {
    fn inner(&self, kind: &str) -> Option<&'a str> {
        let inner = if kind == "custom" { self.custom } else { self.function };
        inner.map(RawValue::get)
    }

    fn input(&self, key: &str) -> &'a str {
        let input = if key == "input" { self.input } else { self.arguments };
        input.map_or("", RawValue::get)
    }
}
