//! One part of a response.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::call::{CallInput, ToolCall};
use crate::model::{AssistantItem, CallItem, Item, ModelError, Native};
use crate::provider::flat::named_call;
use crate::provider::gemini::FORMAT;
use crate::set::ToolSet;

type Fields = Map<String, Value>;

/// What models put before the names of functions.
const PREFIXES: [&str; 2] = ["default_api.", "default_api:"];

/// Reads the part at `index` from its JSON.
pub(super) fn decode_part(index: usize, json: &str, set: &ToolSet) -> Result<Item, ModelError> {
    let place = format!("`parts[{index}]`");
    let value: Value = serde_json::from_str(json)
        .map_err(|error| ModelError::response(format!("{place} cannot be read: {error}")))?;
    let Value::Object(fields) = value else {
        return Err(ModelError::response(format!("{place} is no object")));
    };
    let is_thought = fields.get("thought") == Some(&Value::Bool(true));
    if fields.contains_key("functionCall") {
        return decode_call(fields, json, &format!("{place} (functionCall)"), set);
    }
    match fields.get("text").and_then(Value::as_str) {
        Some(text) if !is_thought => {
            let text = text.to_owned();
            // A signature goes back on this very part, even if it says nothing.
            let native = fields.keys().any(|key| key != "text" && key != "thought").then(|| native(fields));
            Ok(Item::Assistant(AssistantItem::new(text, native)))
        }
        _ => Ok(Item::Opaque(native(fields))),
    }
}

fn native(fields: Fields) -> Native {
    Native::new(FORMAT, Value::Object(fields))
}

fn decode_call(mut fields: Fields, json: &str, place: &str, set: &ToolSet) -> Result<Item, ModelError> {
    let Some(Value::Object(inner)) = fields.shift_remove("functionCall") else {
        return Err(ModelError::response(format!("{place} is no object")));
    };
    let name = match inner.get("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return Err(ModelError::response(format!("{place} has no `name`"))),
    };
    if inner.contains_key("partialArgs") || inner.get("willContinue") == Some(&Value::Bool(true)) {
        return Err(ModelError::response(format!(
            "{place} comes in pieces, which are not read: leave `streamFunctionCallArguments` off"
        )));
    }
    let id = inner.get("id").and_then(Value::as_str).unwrap_or_default();
    if !id.is_empty() {
        fields.insert("id".to_owned(), id.into());
    }
    let arguments = match inner.get("args") {
        None | Some(Value::Null) => String::new(),
        // What some servers write.
        Some(Value::String(text)) => text.clone(),
        Some(_) => raw_arguments(json, place)?,
    };
    let call = called(set, id, name, arguments);
    let native = (!fields.is_empty()).then(|| native(fields));
    Ok(Item::Call(CallItem::new(call, native)))
}

/// The exact name first, then the one behind a known prefix.
fn called(set: &ToolSet, id: &str, name: &str, arguments: String) -> ToolCall {
    let is_listed = |name: &str| set.wire_names().position(name).is_some();
    let bare = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    let name = bare.filter(|bare| !is_listed(name) && is_listed(bare)).unwrap_or(name);
    named_call(set, id.to_owned(), name, CallInput::Json(arguments))
}

/// Taken from the part's own text, the arguments keep every digit.
fn raw_arguments(json: &str, place: &str) -> Result<String, ModelError> {
    #[derive(Deserialize)]
    struct RawPart<'a> {
        #[serde(borrow, rename = "functionCall")]
        call: RawCall<'a>,
    }
    #[derive(Deserialize)]
    struct RawCall<'a> {
        #[serde(borrow)]
        args: &'a RawValue,
    }
    let part: Result<RawPart<'_>, _> = serde_json::from_str(json);
    part.map(|part| part.call.args.get().to_owned())
        .map_err(|error| ModelError::response(format!("the `args` of {place} cannot be read: {error}")))
}
