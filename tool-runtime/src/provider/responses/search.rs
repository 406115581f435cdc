//! Tool search that we execute: the call, and the definitions that answer it.

use serde_json::{Map, Value, json};

use crate::model::{CallItem, ResultItem, ToolName};
use crate::provider::replay::legal_arguments;
use crate::set::ToolSet;
use crate::spec::Namespace;

use super::FORMAT;
use super::tools::deferred_entry;

/// The type of the item that asks for a search.
pub(super) const CALL: &str = "tool_search_call";
/// The name of the tool that answers it.
pub(super) const TOOL: &str = "tool_search";

/// Whether the item, as its fields say, asks us and not the provider.
pub(super) fn is_for_us(fields: &Map<String, Value>) -> bool {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    text("execution") == Some("client") && text("call_id").is_some()
}

/// Whether the call came as a tool search.
pub(super) fn is_search(item: &CallItem) -> bool {
    let native = item.native.as_ref().and_then(|native| native.of_format(FORMAT));
    native.is_some_and(|native| native.get("type").is_some_and(|kind| kind == CALL))
}

/// The call as it goes back; `fields` are what else came with it.
pub(super) fn encode_call(fields: Map<String, Value>, call_id: String, input: &str) -> Value {
    let arguments: Value = serde_json::from_str(&legal_arguments(input)).unwrap_or_else(|_| json!({}));
    let mut item = Map::new();
    item.insert("type".to_owned(), CALL.into());
    item.extend(fields);
    item.insert("call_id".to_owned(), call_id.into());
    item.insert("arguments".to_owned(), arguments);
    Value::Object(item)
}

/// The answer: the definitions of what was found.
pub(super) fn encode_result(set: Option<&ToolSet>, result: &ResultItem, call_id: String) -> Value {
    json!({
        "type": "tool_search_output",
        "call_id": call_id,
        "execution": "client",
        "status": "completed",
        "tools": set.map(|set| definitions(set, &result.loaded)).unwrap_or_default(),
    })
}

/// The tools as in the list of a request, those of a namespace together.
fn definitions(set: &ToolSet, tools: &[ToolName]) -> Vec<Value> {
    let mut entries: Vec<Value> = Vec::new();
    for tool in tools {
        let position = set.position(tool.namespace.as_deref(), &tool.name);
        let Some(tool) = position.and_then(|at| set.tools().get(at)) else { continue };
        let entry = deferred_entry(tool.definition());
        let Some(Namespace { name, description }) = &tool.spec().namespace else {
            entries.push(entry);
            continue;
        };
        let is_its = |entry: &&mut Value| entry["type"] == "namespace" && entry["name"] == **name;
        match entries.iter_mut().find(is_its).and_then(|entry| entry["tools"].as_array_mut()) {
            Some(members) => members.push(entry),
            None => entries.push(json!({
                "type": "namespace",
                "name": name,
                "description": description,
                "tools": [entry],
            })),
        }
    }
    entries
}
