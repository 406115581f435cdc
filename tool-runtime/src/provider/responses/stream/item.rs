//! One item of a response while it streams in.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// What is known of an item so far.
#[derive(Debug, Default)]
pub(super) struct StreamedItem {
    /// Its place in the output; `None` behind all that have one.
    pub(super) index: Option<u64>,
    /// What tells it from others, as the last copy of it says.
    pub(super) head: Option<Head>,
    /// The item as it was opened.
    pub(super) added: Option<Box<RawValue>>,
    /// The item as it is in the end.
    pub(super) done: Option<Box<RawValue>>,
    /// Its type, as its pieces say.
    pub(super) guess: Option<&'static str>,
    /// Its name, as its pieces say.
    pub(super) name: Option<String>,
    /// The arguments or the text of a call, from its pieces.
    pub(super) input: String,
    /// The parts of a message, each as the key of its text and the text, from its pieces.
    pub(super) parts: BTreeMap<u64, (&'static str, String)>,
}

/// What tells an item from others.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) kind: Option<String>,
    pub(super) id: Option<String>,
    pub(super) call_id: Option<String>,
    /// Whether it holds arguments or a text for a call.
    has_input: bool,
}

impl Head {
    pub(super) fn of(item: &RawValue) -> Self {
        #[derive(Default, Deserialize)]
        struct Fields {
            #[serde(default, rename = "type")]
            kind: Value,
            #[serde(default)]
            id: Value,
            #[serde(default)]
            call_id: Value,
            #[serde(default)]
            arguments: Value,
            #[serde(default)]
            input: Value,
        }
        let object = Some(item.get()).filter(|text| text.starts_with('{'));
        let fields: Fields = object.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let text = |value: Value| match value {
            Value::String(text) if !text.is_empty() => Some(text),
            _ => None,
        };
        let is_blank = |value: &Value| value.is_null() || value.as_str().is_some_and(str::is_empty);
        Self {
            has_input: !is_blank(&fields.arguments) || !is_blank(&fields.input),
            kind: text(fields.kind),
            id: text(fields.id),
            call_id: text(fields.call_id),
        }
    }
}

impl StreamedItem {
    /// Whether another copy of it has this head.
    pub(super) fn is_same(&self, other: &Head) -> bool {
        let Some(head) = &self.head else { return false };
        let same = |own: &Option<String>, other: &Option<String>| own.is_some() && own == other;
        head.kind == other.kind && (same(&head.call_id, &other.call_id) || same(&head.id, &other.id))
    }

    /// The item as JSON; `None` if too little of it came. Reasoning, programs and the like are known only from their last
    /// copy, calls and messages also from their pieces.
    pub(super) fn as_json(&self) -> Option<String> {
        match &self.done {
            Some(done) if !self.lacks_input() => Some(done.get().to_owned()),
            Some(done) => self.filled_in(done),
            None => self.filled_in(self.added.as_deref().unwrap_or(RawValue::NULL)),
        }
    }

    /// Whether its last copy says nothing where the pieces did.
    fn lacks_input(&self) -> bool {
        !self.input.is_empty() && self.head.as_ref().is_some_and(|head| !head.has_input)
    }

    fn filled_in(&self, copy: &RawValue) -> Option<String> {
        let mut fields: Map<String, Value> = serde_json::from_str(copy.get()).unwrap_or_default();
        let kind = fields.get("type").and_then(Value::as_str).or(self.guess)?.to_owned();
        match kind.as_str() {
            "function_call" => self.fill_call(&mut fields, "arguments"),
            "custom_tool_call" => self.fill_call(&mut fields, "input"),
            "message" if !self.parts.is_empty() => {
                fields.insert("content".to_owned(), self.parts.values().map(part).collect());
            }
            "message" => {}
            _ => return self.done.as_ref().map(|done| done.get().to_owned()),
        }
        if self.done.is_none() {
            // That the response is complete says more than a copy from the time when the item was not.
            fields.shift_remove("status");
        }
        fields.insert("type".to_owned(), kind.into());
        Some(Value::Object(fields).to_string())
    }

    fn fill_call(&self, fields: &mut Map<String, Value>, key: &str) {
        fields.insert(key.to_owned(), self.input.as_str().into());
        if let Some(name) = &self.name {
            fields.entry("name").or_insert_with(|| name.as_str().into());
        }
    }
}

fn part((key, text): &(&'static str, String)) -> Value {
    let kind = if *key == "refusal" { "refusal" } else { "output_text" };
    json!({ "type": kind, (*key): text })
}
