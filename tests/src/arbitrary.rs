//! Any JSON, any change of an answer or of a stream, any call and any history: what the tests of all formats draw from.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tool_runtime::{Caller, Content, Image, Item, Native, ResultItem, ToolCall};

use crate::wire::parse;

/// Any JSON, with the words in it that formats look for.
pub fn any_json() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 8] =
        ["custom", "function_call", "program", "tool_use", "thinking", "message", "error", "STOP"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..3u64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_{}\"]{0,8}".prop_map(Value::from),
        prop::sample::select(&WORDS[..]).prop_map(Value::from),
    ];
    let key = "type|name|index|id|text|custom|function|functionCall|args|[a-z]{0,3}";
    leaf.prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..3)
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
pub type Change = (prop::sample::Index, Option<Value>);

/// One to three changes.
pub fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any_json())), 1..4)
}

/// The answer with its changes.
pub fn changed(text: &str, changes: Vec<Change>) -> String {
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
pub enum StreamChange {
    /// Of one event.
    Event(prop::sample::Index, Vec<Change>),
    /// An event is missing.
    Drop(prop::sample::Index),
    /// An event comes twice.
    Repeat(prop::sample::Index),
    /// Two events come in each other's place.
    Swap(prop::sample::Index, prop::sample::Index),
    /// The second half of an event is something else.
    Cut(prop::sample::Index, String),
}

/// One to three changes.
pub fn any_stream_changes() -> impl Strategy<Value = Vec<StreamChange>> {
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

/// The events with their changes.
pub fn changed_stream(mut events: Vec<String>, changes: Vec<StreamChange>) -> Vec<String> {
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

/// A call: mostly of a tool that the catalogs of the tests have, with whatever for its id and its input.
pub fn any_call() -> impl Strategy<Value = ToolCall> {
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

fn result((call, content, failed): (ToolCall, Vec<Content>, bool)) -> Item {
    Item::Result(ResultItem::new(&call, content, failed))
}

/// A round as the loop makes it: calls, then one result for each, in any order.
fn any_round() -> impl Strategy<Value = Vec<Item>> {
    let answered = (any_call(), any_content(), any::<bool>(), any::<u8>());
    prop::collection::vec(answered, 1..4).prop_map(|mut round| {
        let asked: Vec<Item> = round.iter().map(|(call, ..)| Item::call(call.clone())).collect();
        round.sort_by_key(|(.., order)| *order);
        let results = round.into_iter().map(|(call, content, failed, _)| result((call, content, failed)));
        asked.into_iter().chain(results).collect()
    })
}

/// Rounds, with words of the user and of the model between them.
pub fn any_rounds() -> impl Strategy<Value = Vec<Item>> {
    let words = prop_oneof![
        ".{1,9}".prop_map(|text| vec![Item::user(text)]),
        ".{1,9}".prop_map(|text| vec![Item::assistant(text)]),
    ];
    prop::collection::vec(prop_oneof![words, any_round()], 0..8).prop_map(|parts| parts.concat())
}

/// Anything in any order: calls without results, results without calls, words in between, and rounds as the loop makes them.
pub fn any_history() -> impl Strategy<Value = Vec<Item>> {
    let item = prop_oneof![
        any_content().prop_map(Item::User),
        ".{0,9}".prop_map(Item::assistant),
        any_call().prop_map(Item::call),
        (any_call(), any_content(), any::<bool>()).prop_map(result),
        any_json().prop_map(|value| Item::Opaque(Native::new("another.format", value))),
    ];
    let loose = item.prop_map(|item| vec![item]);
    prop::collection::vec(prop_oneof![loose, any_round()], 0..8).prop_map(|parts| parts.concat())
}

/// The calls of a history, each with the texts of the result that belongs to it: the first that follows under its id.
pub fn answered_calls(items: &[Item]) -> Vec<(&ToolCall, Option<(String, bool)>)> {
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
pub fn is_carried(call: &ToolCall) -> bool {
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
