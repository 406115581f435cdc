//! Any JSON, any change of an answer, any history.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::{Caller, Content, Image, Item, Native, ResultItem, ToolCall};

use crate::parse;

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..3u64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_{}\"]{0,8}".prop_map(Value::from),
        Just(json!("tool_use")),
        Just(json!("error")),
        Just(json!("STOP")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("type|name|index|id|text|functionCall|args|[a-z]{0,3}", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// All places in a value.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| pointers(item, &format!("{at}/{index}"), all));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| pointers(member, &format!("{at}/{key}"), all));
        }
        _ => {}
    }
}

/// Replaces, or drops, what stands at a place.
pub(crate) type Change = (prop::sample::Index, Option<Value>);

pub(crate) fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any_json())), 1..4)
}

pub(crate) fn changed(text: &str, changes: Vec<Change>) -> String {
    let mut value = parse(text);
    for (place, change) in changes {
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        let at = &all[place.index(all.len())];
        match (change, at.rsplit_once('/')) {
            (Some(change), _) => *value.pointer_mut(at).unwrap() = change,
            (None, Some((parent, key))) => match value.pointer_mut(parent).unwrap() {
                Value::Object(members) => drop(members.remove(key)),
                Value::Array(items) => drop(items.remove(key.parse().unwrap())),
                _ => {}
            },
            (None, None) => {}
        }
    }
    value.to_string()
}

/// One change of a stream.
#[derive(Clone, Debug)]
pub(crate) enum StreamChange {
    Event(prop::sample::Index, Vec<Change>),
    Drop(prop::sample::Index),
    Repeat(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    Cut(prop::sample::Index, String),
}

pub(crate) fn any_stream_changes() -> impl Strategy<Value = Vec<StreamChange>> {
    let place = any::<prop::sample::Index>;
    let change = prop_oneof![
        (place(), any_changes()).prop_map(|(at, changes)| StreamChange::Event(at, changes)),
        place().prop_map(StreamChange::Drop),
        place().prop_map(StreamChange::Repeat),
        (place(), place()).prop_map(|(left, right)| StreamChange::Swap(left, right)),
        (place(), ".{0,3}").prop_map(|(at, with)| StreamChange::Cut(at, with)),
    ];
    prop::collection::vec(change, 1..4)
}

pub(crate) fn changed_stream(mut events: Vec<String>, changes: Vec<StreamChange>) -> Vec<String> {
    for change in changes {
        if events.is_empty() {
            break;
        }
        let count = events.len();
        match change {
            StreamChange::Event(at, changes) => {
                let event = &mut events[at.index(count)];
                if serde_json::from_str::<Value>(event).is_ok() {
                    *event = changed(event, changes);
                }
            }
            StreamChange::Drop(at) => drop(events.remove(at.index(count))),
            StreamChange::Repeat(at) => {
                let again = events[at.index(count)].clone();
                events.insert(at.index(count), again);
            }
            StreamChange::Swap(left, right) => events.swap(left.index(count), right.index(count)),
            StreamChange::Cut(at, with) => {
                let event = &mut events[at.index(count)];
                let half = event.chars().count() / 2;
                *event = event.chars().take(half).collect::<String>() + &with;
            }
        }
    }
    events
}

pub(crate) fn any_call() -> impl Strategy<Value = ToolCall> {
    let id = prop_oneof![Just(String::new()), Just("x".to_owned()), "mended_[1-3]", ".{0,80}"];
    let known = prop_oneof![
        Just((None, "read_file".to_owned())),
        Just((Some("crm".to_owned()), "find".to_owned())),
        Just((Some("crm".to_owned()), "sql".to_owned())),
        Just((None, "apply_patch".to_owned())),
    ];
    let name = prop_oneof![3 => known, 1 => (prop::option::of(".{0,80}"), ".{0,80}")];
    let input = prop_oneof![any_json().prop_map(|value| value.to_string()), ".{0,40}"];
    let caller =
        prop_oneof![Just(Caller::Direct), ".{0,9}".prop_map(|caller_id| Caller::Program { caller_id })];
    (id, name, input, any::<bool>(), caller).prop_map(|(id, (namespace, name), input, is_text, caller)| {
        let call =
            if is_text { ToolCall::with_text(id, name, input) } else { ToolCall::new(id, name, input) };
        let call = call.by(caller);
        match namespace {
            Some(namespace) => call.in_namespace(namespace),
            None => call,
        }
    })
}

fn any_content() -> impl Strategy<Value = Vec<Content>> {
    let content =
        prop_oneof![".{0,9}".prop_map(Content::from), Just(Image::from_base64("image/png", "AAAA").into())];
    prop::collection::vec(content, 0..3)
}

/// Anything in any order: calls without results, results without calls, words in between, and rounds as the loop makes them.
pub(crate) fn any_history() -> impl Strategy<Value = Vec<Item>> {
    let result = |(call, content, failed): (ToolCall, Vec<Content>, bool)| {
        Item::Result(ResultItem::new(&call, content, failed))
    };
    let item = prop_oneof![
        any_content().prop_map(Item::User),
        ".{0,9}".prop_map(Item::assistant),
        any_call().prop_map(Item::call),
        (any_call(), any_content(), any::<bool>()).prop_map(result),
        any_json().prop_map(|value| Item::Opaque(Native::new("another.format", value))),
    ];
    let loose = item.prop_map(|item| vec![item]);
    let round =
        prop::collection::vec((any_call(), any_content(), any::<bool>()), 1..4).prop_map(move |calls| {
            let asked: Vec<Item> = calls.iter().map(|(call, ..)| Item::call(call.clone())).collect();
            asked.into_iter().chain(calls.into_iter().map(result)).collect()
        });
    prop::collection::vec(prop_oneof![loose, round], 0..6).prop_map(|parts| parts.concat())
}

/// The calls of a history, each with the texts of the result that belongs to it: the first that follows under its id.
pub(crate) fn answered_calls(items: &[Item]) -> Vec<(&ToolCall, Option<(String, bool)>)> {
    let mut calls: Vec<(&ToolCall, Option<(String, bool)>)> = Vec::new();
    for item in items {
        match item {
            Item::Call(item) => calls.push((&item.call, None)),
            Item::Result(result) => {
                let text = result.content.iter().filter_map(Content::as_text).collect();
                let open =
                    calls.iter_mut().find(|(call, answer)| call.id == result.call_id && answer.is_none());
                if let Some((_, answer)) = open {
                    *answer = Some((text, result.is_error));
                }
            }
            _ => {}
        }
    }
    calls
}

/// Whether formats with flat names and JSON arguments can carry a call as it is.
pub(crate) fn is_carried(call: &ToolCall) -> bool {
    let known = matches!(
        (call.namespace.as_deref(), &*call.name),
        (None, "read_file" | "apply_patch") | (Some("crm"), "find" | "sql")
    );
    let is_object =
        || serde_json::from_str::<Value>(call.input.as_str()).is_ok_and(|value| value.is_object());
    let takes_text = matches!(&*call.name, "apply_patch" | "sql");
    let is_text = matches!(call.input, tool_runtime::CallInput::Text(_));
    // The text of a free-text tool that is wrapped already comes back unwrapped.
    known && is_text == takes_text && (is_text || is_object())
}
