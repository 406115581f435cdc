//! Conversation items as the `contents` of a request.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::call::{CallInput, ToolCall};
use crate::model::{AssistantItem, Item, ResultItem};
use crate::output::{Content, Media};
use crate::provider::body::separate;
use crate::provider::call_ids::CallIds;
use crate::provider::flat::wire_name;
use crate::provider::replay::{MAX_TEXT, cut, legal_arguments, legal_name, tell_failure};
use crate::provider::rounds::{Asked, NO_RESULT, OPENING, Round, Said, Wrote, rounds};
use crate::set::ToolSet;

use super::{FORMAT, Settings};

/// Writes a conversation as `contents`, a JSON array, whatever stands in it.
///
/// What the model wrote in one round is one content, directly followed by one with a result for each of its calls, in their
/// order. Only ids that the provider gave are sent. Calls with broken arguments are sent with legal ones, names that the
/// provider refuses are spelled with `_`, a call without a result gets one that says so, and a result without a call is told as
/// words of the user. Items that only another format understands are left out.
#[must_use]
pub fn encode_contents(settings: &Settings, set: &ToolSet, items: &[Item]) -> String {
    let mut contents = Contents::default();
    for round in &sorted(items) {
        contents.add("model", wrote(settings, set, round));
        contents.add("user", round.calls().map(|asked| answer(set, asked)).collect());
        contents.add("user", round.said.iter().flat_map(said).collect());
    }
    contents.finish()
}

fn sorted(items: &[Item]) -> Vec<Round<'_>> {
    // Ids only pair calls and results here; those on the wire are the provider's own.
    let known = items.iter().filter_map(|item| item.as_call().map(|call| call.id.as_str()));
    rounds(items, FORMAT, CallIds::new(usize::MAX, known))
}

/// Contents as text, neighbours of one role joined.
#[derive(Default)]
struct Contents {
    list: Vec<(&'static str, Vec<String>)>,
}

impl Contents {
    fn add(&mut self, role: &'static str, parts: Vec<String>) {
        match self.list.last_mut() {
            _ if parts.is_empty() => {}
            Some((last, all)) if *last == role => all.extend(parts),
            _ => self.list.push((role, parts)),
        }
    }

    /// The first content has to be the user's.
    fn finish(self) -> String {
        let mut text = "[".to_owned();
        if self.list.first().is_some_and(|(role, _)| *role != "user") {
            text.push_str(&json!({ "role": "user", "parts": [{ "text": OPENING }] }).to_string());
        }
        for (role, parts) in self.list {
            separate(&mut text);
            text.push_str(&format!(r#"{{"role":"{role}","parts":[{}]}}"#, parts.join(",")));
        }
        text.push(']');
        text
    }
}

fn wrote(settings: &Settings, set: &ToolSet, round: &Round<'_>) -> Vec<String> {
    let mut is_first_call = true;
    let part = |wrote: &Wrote<'_>| match wrote {
        Wrote::Text(message) => spoken(message).map(|part| part.to_string()),
        Wrote::Native(value) => Some(value.to_string()),
        Wrote::Call(asked) => {
            let missing = settings.missing_signature.as_ref().filter(|_| is_first_call);
            is_first_call = false;
            Some(function_call(set, asked, missing))
        }
    };
    round.wrote.iter().filter_map(part).collect()
}

fn spoken(message: &AssistantItem) -> Option<Value> {
    let native = message.native.as_ref().and_then(|native| native.of_format(FORMAT));
    native.cloned().or_else(|| text(message.text.clone()))
}

fn text(text: String) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": cut(text, MAX_TEXT) }))
}

/// What else the provider wrote in the part of a call: its signature, and its id under `id`.
fn native_fields<'a>(asked: &Asked<'a>) -> Option<&'a Map<String, Value>> {
    asked.item.native.as_ref().and_then(|native| native.of_format(FORMAT)).and_then(Value::as_object)
}

/// The id that the provider gave the call.
fn own_id<'a>(asked: &Asked<'a>) -> Option<&'a Value> {
    native_fields(asked)?.get("id").filter(|id| id.is_string())
}

/// The name of a call's function. Here, a letter or `_` has to be the first; the set's own names begin so.
fn function_name<'a>(set: &'a ToolSet, call: &ToolCall) -> Cow<'a, str> {
    let name = wire_name(set, call.namespace.as_deref(), &call.name);
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return name;
    }
    Cow::Owned(legal_name(&format!("_{name}")))
}

/// The part of a call. The arguments are copied as text, so that they keep every digit.
fn function_call(set: &ToolSet, asked: &Asked<'_>, missing_signature: Option<&String>) -> String {
    let call = &asked.item.call;
    let arguments = match &call.input {
        CallInput::Json(text) => legal_arguments(text),
        CallInput::Text(text) => json!({ "input": text }).to_string().into(),
    };
    let name = function_name(set, call);
    let id = own_id(asked).map(|id| format!(r#""id":{id},"#)).unwrap_or_default();
    let mut text = format!(r#"{{"functionCall":{{{id}"name":{},"args":{arguments}}}"#, Value::from(&*name));
    let mut is_signed = false;
    for (key, value) in native_fields(asked).into_iter().flatten() {
        is_signed |= key == "thoughtSignature";
        if !matches!(key.as_str(), "id" | "functionCall") {
            text.push_str(&format!(",{}:{value}", Value::from(&**key)));
        }
    }
    if let (false, Some(signature)) = (is_signed, missing_signature) {
        text.push_str(&format!(r#","thoughtSignature":{}"#, Value::from(&**signature)));
    }
    text.push('}');
    text
}

fn answer(set: &ToolSet, asked: &Asked<'_>) -> String {
    let call = &asked.item.call;
    let (response, media) = match asked.result {
        Some(result) => response(result),
        None => (json!({ "error": NO_RESULT }), Vec::new()),
    };
    let mut fields = Map::new();
    fields.extend(own_id(asked).map(|id| ("id".to_owned(), id.clone())));
    fields.insert("name".to_owned(), function_name(set, call).into());
    fields.insert("response".to_owned(), response);
    if !media.is_empty() {
        fields.insert("parts".to_owned(), media.into());
    }
    json!({ "functionResponse": fields }).to_string()
}

/// The texts of a result under the word that tells whether it is one, and its pictures and files.
fn response(result: &ResultItem) -> (Value, Vec<Value>) {
    let text: String = result.content.iter().filter_map(Content::as_text).collect();
    let key = if result.is_error { "error" } else { "output" };
    let media = result.content.iter().filter(|part| part.as_text().is_none()).filter_map(part);
    (json!({ key: cut(text, MAX_TEXT) }), media.collect())
}

fn said(said: &Said<'_>) -> Vec<String> {
    let heading = said.heading().and_then(text);
    let told: Vec<Value> = match said {
        Said::User(content) => content.iter().filter_map(part).collect(),
        Said::Unasked(result) => tell_failure(result).iter().filter_map(part).collect(),
    };
    heading.into_iter().chain(told).map(|part| part.to_string()).collect()
}

fn part(content: &Content) -> Option<Value> {
    let (media_type, media, name) = match content {
        Content::Text(text) => return self::text(text.clone()),
        Content::Image(image) => (&image.media_type, &image.media, None),
        Content::File(file) => (&file.media_type, &file.media, Some(&file.name)),
    };
    let (key, data) = match media {
        Media::Base64(data) => ("inlineData", json!({ "mimeType": media_type, "data": data })),
        Media::Url(url) => ("fileData", json!({ "mimeType": media_type, "fileUri": url })),
    };
    let mut data = data;
    if let (Value::Object(data), Some(name)) = (&mut data, name.filter(|name| !name.is_empty())) {
        data.insert("displayName".to_owned(), name.as_str().into());
    }
    Some(json!({ key: data }))
}
