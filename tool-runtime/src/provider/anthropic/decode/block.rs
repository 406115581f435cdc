//! One block of a message.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::call::{CallInput, Caller};
use crate::model::{AssistantItem, CallItem, Item, LoadedItem, ModelError, Native, ToolName};
use crate::provider::anthropic::FORMAT;
use crate::provider::flat::named_call;
use crate::set::ToolSet;

type Fields = Map<String, Value>;

/// Reads the block at `index` from its JSON.
pub(super) fn decode_block(index: usize, json: &str, set: &ToolSet) -> Result<Item, ModelError> {
    let place = format!("`content[{index}]`");
    let value: Value = serde_json::from_str(json)
        .map_err(|error| ModelError::response(format!("{place} cannot be read: {error}")))?;
    let Value::Object(fields) = value else {
        return Err(ModelError::response(format!("{place} is no object")));
    };
    let Some(kind) = fields.get("type").and_then(Value::as_str) else {
        return Err(ModelError::response(format!("{place} has no `type`")));
    };
    match kind {
        "text" => Ok(Item::Assistant(decode_text(fields))),
        "tool_use" => decode_call(fields, json, &format!("{place} (tool_use)"), set),
        "tool_search_tool_result" => {
            let tools = loaded_tools(&fields, set);
            Ok(Item::Loaded(LoadedItem::new(tools, native(fields))))
        }
        _ => Ok(Item::Opaque(native(fields))),
    }
}

fn native(fields: Fields) -> Native {
    Native::new(FORMAT, Value::Object(fields))
}

/// A text that is more than text, since it cites something, goes back as it came.
fn decode_text(fields: Fields) -> AssistantItem {
    let text = fields.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_more =
        |(key, value): (&String, &Value)| !matches!(key.as_str(), "type" | "text") && !value.is_null();
    let native = (!text.is_empty() && fields.iter().any(is_more)).then(|| native(fields));
    AssistantItem::new(text, native)
}

fn decode_call(mut fields: Fields, json: &str, place: &str, set: &ToolSet) -> Result<Item, ModelError> {
    let name = match fields.shift_remove("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return Err(ModelError::response(format!("{place} has no `name`"))),
    };
    // An id that is missing is as good as an empty one: dispatch gives the call one of its own.
    let id = match fields.shift_remove("id") {
        Some(Value::String(id)) => id,
        _ => String::new(),
    };
    let arguments = match fields.shift_remove("input").unwrap_or_default() {
        Value::Null => String::new(),
        // Pieces of a stream that may be broken, and what some servers write.
        Value::String(text) => text,
        _ => raw_input(json, place)?,
    };
    let caller = decode_caller(fields.get("caller").unwrap_or(&Value::Null), place)?;
    fields.shift_remove("type");
    let call = named_call(set, id, &name, CallInput::Json(arguments)).by(caller);
    let native = (!fields.is_empty()).then(|| native(fields));
    Ok(Item::Call(CallItem::new(call, native)))
}

/// Taken from the block's own text, the arguments keep every digit.
fn raw_input(json: &str, place: &str) -> Result<String, ModelError> {
    #[derive(Deserialize)]
    struct RawInput<'a> {
        #[serde(borrow)]
        input: &'a RawValue,
    }
    let raw: Result<RawInput<'_>, _> = serde_json::from_str(json);
    raw.map(|raw| raw.input.get().to_owned())
        .map_err(|error| ModelError::response(format!("the `input` of {place} cannot be read: {error}")))
}

fn decode_caller(caller: &Value, place: &str) -> Result<Caller, ModelError> {
    let text = |key: &str| caller.get(key).and_then(Value::as_str);
    match (text("type"), text("tool_id")) {
        _ if caller.is_null() => Ok(Caller::Direct),
        (Some("direct"), _) => Ok(Caller::Direct),
        (Some(_), Some(tool_id)) => Ok(Caller::Program { caller_id: tool_id.to_owned() }),
        _ => Err(ModelError::response(format!("{place} has a `caller` of an unknown kind"))),
    }
}

/// The tools that a search found.
fn loaded_tools(fields: &Fields, set: &ToolSet) -> Vec<ToolName> {
    let references = fields.get("content").and_then(|content| content.get("tool_references"));
    let names = references.and_then(Value::as_array).into_iter().flatten();
    let names = names.filter_map(|reference| reference.get("tool_name").and_then(Value::as_str));
    let tool = |name: &str| {
        let call = named_call(set, String::new(), name, CallInput::Json(String::new()));
        ToolName { namespace: call.namespace, name: call.name }
    };
    names.map(tool).collect()
}
