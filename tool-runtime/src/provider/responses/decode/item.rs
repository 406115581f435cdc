//! One item of a response's `output`.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::call::{CallInput, Caller, ToolCall};
use crate::model::{AssistantItem, CallItem, Item, LoadedItem, ModelError, Native, ToolName};
use crate::provider::responses::{FORMAT, search};

type Fields = Map<String, Value>;

/// Reads the item at `index` from its JSON.
pub(super) fn decode_item(index: usize, json: &str) -> Result<Item, ModelError> {
    let place = format!("`output[{index}]`");
    let value: Value = serde_json::from_str(json)
        .map_err(|error| ModelError::response(format!("{place} cannot be read: {error}")))?;
    let Value::Object(fields) = value else {
        return Err(ModelError::response(format!("{place} is no object")));
    };
    let Some(kind) = text(&fields, "type") else {
        return Err(ModelError::response(format!("{place} has no `type`")));
    };
    let place = format!("{place} ({kind})");
    match kind {
        "function_call" => decode_call(fields, json, &place, "arguments", CallInput::Json),
        "custom_tool_call" => decode_call(fields, json, &place, "input", CallInput::Text),
        search::CALL if search::is_for_us(&fields) => decode_search(fields, json, &place),
        "message" if text(&fields, "role").is_none_or(|role| role == "assistant") => {
            Ok(Item::Assistant(AssistantItem::new(message_text(&fields), Some(native(fields)))))
        }
        "tool_search_output" => {
            let tools = fields.get("tools").map(loaded_tools).unwrap_or_default();
            Ok(Item::Loaded(LoadedItem::new(tools, native(fields))))
        }
        _ => Ok(Item::Opaque(native(fields))),
    }
}

fn native(fields: Fields) -> Native {
    Native::new(FORMAT, Value::Object(fields))
}

fn text<'a>(fields: &'a Fields, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

fn decode_call(
    mut fields: Fields,
    json: &str,
    place: &str,
    input_key: &str,
    input: fn(String) -> CallInput,
) -> Result<Item, ModelError> {
    let mut take = |key: &str| fields.shift_remove(key).unwrap_or_default();
    let name = match take("name") {
        Value::String(name) if !name.is_empty() => name,
        _ => return Err(ModelError::response(format!("{place} has no `name`"))),
    };
    // An id that is missing is as good as an empty one: dispatch gives the call one of its own.
    let id = into_text(take("call_id")).unwrap_or_default();
    let namespace = into_text(take("namespace")).filter(|namespace| !namespace.is_empty());
    let caller = decode_caller(&take("caller"), place)?;
    let written = match take(input_key) {
        Value::String(text) => text,
        Value::Null => String::new(),
        _ => raw_input(json, place, input_key)?,
    };
    take("type");
    let call = ToolCall { id, namespace, name, input: input(written), caller };
    let native = (!fields.is_empty()).then(|| native(fields));
    Ok(Item::Call(CallItem::new(call, native)))
}

/// A search that we are to execute is a call of `tool_search`.
fn decode_search(mut fields: Fields, json: &str, place: &str) -> Result<Item, ModelError> {
    let id = fields.shift_remove("call_id").and_then(into_text).unwrap_or_default();
    let arguments = match fields.shift_remove("arguments").unwrap_or_default() {
        Value::String(text) => text,
        Value::Null => String::new(),
        _ => raw_input(json, place, "arguments")?,
    };
    Ok(Item::Call(CallItem::new(ToolCall::new(id, search::TOOL, arguments), Some(native(fields)))))
}

fn into_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn decode_caller(caller: &Value, place: &str) -> Result<Caller, ModelError> {
    let text = |key: &str| caller.get(key).and_then(Value::as_str);
    match (text("type"), text("caller_id")) {
        _ if caller.is_null() => Ok(Caller::Direct),
        (Some("direct"), _) => Ok(Caller::Direct),
        (Some("program"), Some(caller_id)) => Ok(Caller::Program { caller_id: caller_id.to_owned() }),
        (Some("program"), None) => {
            Err(ModelError::response(format!("{place} is called by a program, but has no `caller_id`")))
        }
        _ => Err(ModelError::response(format!("{place} has a `caller` of an unknown kind"))),
    }
}

/// Some servers write the arguments as an object instead of as text. Taken from the item's own text, it keeps every digit.
fn raw_input(json: &str, place: &str, key: &str) -> Result<String, ModelError> {
    #[derive(Deserialize)]
    struct RawInput<'a> {
        #[serde(borrow)]
        arguments: Option<&'a RawValue>,
        #[serde(borrow)]
        input: Option<&'a RawValue>,
    }
    let cannot = |error| ModelError::response(format!("the `{key}` of {place} cannot be read: {error}"));
    let raw: RawInput<'_> = serde_json::from_str(json).map_err(cannot)?;
    let written = if key == "arguments" { raw.arguments } else { raw.input };
    Ok(written.map(|raw| raw.get().to_owned()).unwrap_or_default())
}

/// The text parts of a message, refusals too, one after the other.
fn message_text(fields: &Fields) -> String {
    match fields.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let part = |part: &Value| {
                let text = part.get("text").or_else(|| part.get("refusal"))?;
                text.as_str().map(str::to_owned)
            };
            parts.iter().filter_map(part).collect()
        }
        _ => String::new(),
    }
}

/// The tools of a search result: definitions, those of a namespace inside it.
fn loaded_tools(tools: &Value) -> Vec<ToolName> {
    let name = |entry: &Value| entry.get("name").and_then(Value::as_str).map(str::to_owned);
    let mut loaded = Vec::new();
    for entry in tools.as_array().into_iter().flatten() {
        let Some(own_name) = name(entry) else { continue };
        let Some(members) = entry.get("tools").and_then(Value::as_array) else {
            let namespace = entry.get("namespace").and_then(Value::as_str).map(str::to_owned);
            loaded.push(ToolName { namespace, name: own_name });
            continue;
        };
        loaded.extend(members.iter().filter_map(name).map(|member| ToolName::namespaced(&own_name, member)));
    }
    loaded
}
