//! Conversation items as the `input` of a request.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value, json};

use crate::call::{CallInput, Caller};
use crate::model::{AssistantItem, CallItem, Item, LoadedItem, Native, ResultItem};
use crate::output::{Content, Media};

use crate::provider::call_ids::CallIds;
use crate::provider::replay::{MAX_TEXT, cut, legal_arguments, legal_name, tell_failure};
use crate::set::ToolSet;

use super::{FORMAT, History, search};

/// The longest id of a call that the provider takes, in characters.
const MAX_CALL_ID: usize = 64;

/// Writes a conversation as `input` items, whatever stands in it: calls with broken arguments are sent with legal ones,
/// names that the provider refuses are spelled with `_`, and ids that are empty, too long or given twice are replaced,
/// in call and result alike. Items that only another format understands are left out. What a search of ours found is
/// defined only in a whole request.
#[must_use]
pub fn encode_input(items: &[Item]) -> Vec<Value> {
    encode_new(None, items, items, History::Stored)
}

/// The items of `new`, which is the end of `conversation`.
pub(super) fn encode_new(
    set: Option<&ToolSet>,
    conversation: &[Item],
    new: &[Item],
    history: History,
) -> Vec<Value> {
    let mut ids = CallIds::new(MAX_CALL_ID, call_ids(conversation));
    let mut item_ids = HashSet::new();
    // Calls that the provider knows already have the ids that it gave them.
    let calls = conversation.iter().filter_map(|item| match item {
        Item::Call(call) => Some((call.call.id.clone(), Form::of(call))),
        _ => None,
    });
    let mut forms: HashMap<String, Form> = calls.collect();
    // What a search has to say beside its definitions, until all results are there.
    let mut said = Vec::new();
    let mut input = Vec::with_capacity(new.len());
    for item in new {
        if !matches!(item, Item::Result(_)) {
            input.append(&mut said);
        }
        input.extend(match item {
            // The provider refuses a message without content.
            Item::User(content) if content.iter().all(Content::is_empty) => None,
            Item::User(content) => Some(user(content)),
            Item::Assistant(message) => Some(assistant(message)),
            Item::Call(call) => {
                let id = ids.of_call(&call.call.id);
                forms.insert(id.clone(), Form::of(call));
                Some(encode_call(call, id, &mut item_ids))
            }
            Item::Result(result) => {
                let id = ids.of_result(&result.call_id);
                // The call decides, if it is here: two of one id may have got each other's results.
                let own = if result.is_text_call { Form::Text } else { Form::Json };
                let form = forms.get(&id).copied().unwrap_or(own);
                if form == Form::Search && result.loaded.is_empty() {
                    said.push(user(&tell_failure(result)));
                }
                Some(match form {
                    Form::Search => search::encode_result(set, result, id),
                    Form::Text => encode_result(result, id, "custom_tool_call_output"),
                    Form::Json => encode_result(result, id, "function_call_output"),
                })
            }
            Item::Loaded(LoadedItem { native, .. }) | Item::Opaque(native) => {
                native.of_format(FORMAT).filter(|value| is_replayable(value, history)).cloned()
            }
        });
    }
    input.append(&mut said);
    input
}

/// What a call is on the wire, and its result with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Text,
    Search,
}

impl Form {
    fn of(item: &CallItem) -> Self {
        match &item.call.input {
            _ if search::is_search(item) => Self::Search,
            CallInput::Text(_) => Self::Text,
            _ => Self::Json,
        }
    }
}

/// All ids of calls, those of the provider's own items too.
fn call_ids(conversation: &[Item]) -> impl Iterator<Item = &str> {
    conversation.iter().filter_map(|item| match item {
        Item::Call(item) => Some(item.call.id.as_str()),
        Item::Opaque(native) => native.of_format(FORMAT)?.get("call_id").and_then(Value::as_str),
        _ => None,
    })
}

/// Reasoning that nobody stored is known only if it is in the item itself; without that, the provider looks for its id and
/// refuses the request.
fn is_replayable(value: &Value, history: History) -> bool {
    let is_reasoning = value.get("type").is_some_and(|kind| kind == "reasoning");
    let holds_it = value.get("encrypted_content").is_some_and(Value::is_string);
    history == History::Stored || !is_reasoning || holds_it
}

fn user(content: &[Content]) -> Value {
    json!({ "type": "message", "role": "user", "content": text_or_parts(content) })
}

fn assistant(message: &AssistantItem) -> Value {
    let native = message.native.as_ref().and_then(|native| native.of_format(FORMAT));
    native.cloned().unwrap_or_else(|| {
        json!({
            "type": "message",
            "role": "assistant",
            "content": [{ "type": "output_text", "text": message.text, "annotations": [] }],
        })
    })
}

fn encode_call<'a>(item: &'a CallItem, call_id: String, item_ids: &mut HashSet<&'a str>) -> Value {
    let call = &item.call;
    if search::is_search(item) {
        let fields = native_fields(item.native.as_ref(), item_ids).collect();
        return search::encode_call(fields, call_id, call.input.as_str());
    }
    let (kind, key, input) = match &call.input {
        CallInput::Json(text) => ("function_call", "arguments", legal_arguments(text)),
        CallInput::Text(text) => ("custom_tool_call", "input", Cow::Borrowed(text.as_str())),
    };
    let mut fields = Map::new();
    fields.insert("type".to_owned(), kind.into());
    fields.extend(native_fields(item.native.as_ref(), item_ids));
    fields.insert("call_id".to_owned(), call_id.into());
    if let Some(namespace) = &call.namespace {
        fields.insert("namespace".to_owned(), legal_name(namespace).into());
    }
    fields.insert("name".to_owned(), legal_name(&call.name).into());
    fields.insert(key.to_owned(), input.into());
    insert_caller(&mut fields, &call.caller);
    Value::Object(fields)
}

/// What else came with the call. An item id that stands in the conversation already is left out: the provider takes each
/// once.
fn native_fields<'a>(
    native: Option<&'a Native>,
    item_ids: &mut HashSet<&'a str>,
) -> impl Iterator<Item = (String, Value)> {
    let fields = native.and_then(|native| native.of_format(FORMAT)).and_then(Value::as_object);
    fields.into_iter().flatten().filter_map(|(key, value)| {
        let is_repeated_id = key == "id" && value.as_str().is_none_or(|id| !item_ids.insert(id));
        (!is_repeated_id).then(|| (key.clone(), value.clone()))
    })
}

fn encode_result(result: &ResultItem, call_id: String, kind: &str) -> Value {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), kind.into());
    fields.insert("call_id".to_owned(), call_id.into());
    fields.insert("output".to_owned(), text_or_parts(&tell_failure(result)));
    insert_caller(&mut fields, &result.caller);
    Value::Object(fields)
}

fn insert_caller(fields: &mut Map<String, Value>, caller: &Caller) {
    if let Caller::Program { caller_id } = caller {
        fields.insert("caller".to_owned(), json!({ "type": "program", "caller_id": caller_id }));
    }
}

/// Texts alone are one string; with pictures or files among them, each is a part.
fn text_or_parts(content: &[Content]) -> Value {
    if content.iter().all(|part| part.as_text().is_some()) {
        let text: String = content.iter().filter_map(Content::as_text).collect();
        return cut(text, MAX_TEXT).into();
    }
    content.iter().filter(|part| !part.is_empty()).map(part).collect()
}

fn part(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({ "type": "input_text", "text": cut(text.clone(), MAX_TEXT) }),
        Content::Image(image) => {
            let url = image.media.to_url(&image.media_type);
            json!({ "type": "input_image", "image_url": url, "detail": "auto" })
        }
        Content::File(file) => match &file.media {
            Media::Base64(_) => {
                let data = file.media.to_url(&file.media_type);
                json!({ "type": "input_file", "filename": file.name, "file_data": data })
            }
            Media::Url(url) => json!({ "type": "input_file", "file_url": url }),
        },
    }
}
