//! What holds for any set, any history and any answer.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::provider::chat::{Settings, decode_response, encode_messages};
use tool_runtime::{CallInput, Caller, Content, Image, Item, ResultItem, ToolCall, ToolSet};

use crate::{catalog, fixture, parse};

const FIXTURES: [&str; 7] = [
    fixture!("response_calls"),
    fixture!("response_reasoning"),
    fixture!("response_cut"),
    fixture!("response_old"),
    fixture!("response_refusal"),
    fixture!("response_loose"),
    fixture!("error"),
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_]{0,8}".prop_map(Value::from),
        Just(json!("custom")),
        Just(json!("error")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("type|name|custom|function|[a-z]{0,3}", inner), 0..3)
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

/// The provider's rules for messages.
fn check_messages(messages: &[Value]) {
    let mut open: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    for message in messages {
        let role = message["role"].as_str().unwrap();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap();
            let at = open.iter().position(|open| *open == id);
            open.remove(at.unwrap_or_else(|| panic!("a result without a call before it: {message}")));
            assert!(message["content"].is_string(), "{message}");
            continue;
        }
        assert!(open.is_empty(), "{open:?} are not answered before: {message}");
        let content = &message["content"];
        match role {
            "user" => assert!(content.is_string() || content.is_array(), "{message}"),
            "assistant" => {
                let says = content.is_string() || message.get("refusal").is_some();
                assert!(says || message.get("tool_calls").is_some(), "{message}");
                let calls = message.get("tool_calls").map_or(&[][..], |calls| calls.as_array().unwrap());
                assert!(message.get("tool_calls").is_none() || !calls.is_empty(), "{message}");
                assert!(calls.len() <= 128);
                for call in calls {
                    let id = call["id"].as_str().unwrap();
                    assert!((1..=40).contains(&id.chars().count()) && seen.insert(id), "{call}");
                    open.push(id);
                    let kind = call["type"].as_str().unwrap();
                    let name = call[kind]["name"].as_str().unwrap();
                    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    assert!((1..=64).contains(&name.len()) && name.chars().all(legal), "{call}");
                    match kind {
                        "custom" => assert!(call["custom"]["input"].is_string(), "{call}"),
                        _ => assert!(
                            parse(call["function"]["arguments"].as_str().unwrap()).is_object(),
                            "{call}"
                        ),
                    }
                }
            }
            other => panic!("no role of a conversation: {other}"),
        }
    }
    assert!(open.is_empty(), "{open:?} are not answered");
}

fn all_settings() -> [Settings; 2] {
    [Settings::new("m"), Settings::compatible("m")]
}

/// Whatever was read can be sent again, and what is sent can be read.
fn check_replay(text: &str, set: &ToolSet) {
    if let Ok(response) = decode_response(text, set) {
        for settings in all_settings() {
            check_messages(&encode_messages(&settings, set, None, &response.items));
        }
    }
}

fn any_call() -> impl Strategy<Value = ToolCall> {
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

/// Anything in any order: calls without results, results without calls, words in between.
fn any_history() -> impl Strategy<Value = Vec<Item>> {
    let content = || {
        prop_oneof![".{0,9}".prop_map(Content::from), Just(Image::from_base64("image/png", "AAAA").into()),]
    };
    let contents = move || prop::collection::vec(content(), 0..3);
    let item = prop_oneof![
        contents().prop_map(Item::User),
        ".{0,9}".prop_map(Item::assistant),
        any_call().prop_map(Item::call),
        (any_call(), contents(), any::<bool>())
            .prop_map(|(call, content, failed)| Item::Result(ResultItem::new(&call, content, failed))),
    ];
    // A round as the loop makes it: calls, then their results in any order.
    let round =
        prop::collection::vec((any_call(), contents(), any::<bool>(), any::<u8>()), 0..4).prop_map(|round| {
            let mut items: Vec<Item> = round.iter().map(|(call, ..)| Item::call(call.clone())).collect();
            let mut results: Vec<_> = round.into_iter().collect();
            results.sort_by_key(|(.., order)| *order);
            items.extend(
                results
                    .into_iter()
                    .map(|(call, content, failed, _)| Item::Result(ResultItem::new(&call, content, failed))),
            );
            items
        });
    let part = prop_oneof![item.prop_map(|item| vec![item]), round];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Calls of the set with inputs that are legal, each under an id of its own, and a text as its result.
fn any_good_round() -> impl Strategy<Value = Vec<(ToolCall, String)>> {
    let json = || prop::collection::vec(("[a-z]{1,5}", any_json()), 0..3);
    let call = prop_oneof![
        json().prop_map(|fields| ToolCall::new("", "read_file", object(fields))),
        json().prop_map(|fields| ToolCall::new("", "find", object(fields)).in_namespace("crm")),
        ".{0,30}".prop_map(|text| ToolCall::with_text("", "sql", text).in_namespace("crm")),
        ".{0,30}".prop_map(|text| ToolCall::with_text("", "apply_patch", text)),
    ];
    prop::collection::vec((call, ".{1,20}"), 1..6).prop_map(|calls| {
        let with_id = |(number, (mut call, text)): (usize, (ToolCall, String))| {
            call.id = format!("id_{number}");
            (call, text)
        };
        calls.into_iter().enumerate().map(with_id).collect()
    })
}

fn object(fields: Vec<(String, Value)>) -> String {
    Value::Object(fields.into_iter().collect()).to_string()
}

proptest! {
    #[test]
    fn any_history_is_sent_by_the_providers_rules(items in any_history()) {
        let set = catalog();
        for settings in all_settings() {
            let messages = encode_messages(&settings, &set, Some("Be short."), &items);
            check_messages(&messages[1..]);
        }
    }

    #[test]
    fn what_is_sent_reads_back_as_the_same_calls_results_and_names(round in any_good_round()) {
        let set = catalog();
        let calls = round.iter().map(|(call, _)| Item::call(call.clone()));
        let results = round.iter().map(|(call, text)| {
            Item::Result(ResultItem::new(call, vec![text.as_str().into()], false))
        });
        let items: Vec<Item> = std::iter::once(Item::assistant("text")).chain(calls).chain(results).collect();
        for settings in all_settings() {
            let messages = encode_messages(&settings, &set, None, &items);
            let answer = json!({"choices": [{"message": messages[0], "finish_reason": "tool_calls"}]});
            let response = decode_response(&answer.to_string(), &set).unwrap();
            prop_assert_eq!(response.text(), "text");
            let sent: Vec<&ToolCall> = round.iter().map(|(call, _)| call).collect();
            prop_assert_eq!(response.calls().collect::<Vec<_>>(), sent);
            for (message, (call, text)) in messages[1..].iter().zip(&round) {
                prop_assert_eq!(&message["tool_call_id"], &json!(call.id));
                prop_assert_eq!(&message["content"], &json!(text));
            }
            // The texts of free-text tools are texts again, also where the server knows functions only.
            let has_its_form = |call: &ToolCall| match &*call.name {
                "sql" | "apply_patch" => matches!(call.input, CallInput::Text(_)),
                _ => matches!(call.input, CallInput::Json(_)),
            };
            prop_assert!(response.calls().all(has_its_form));
        }
    }

    #[test]
    fn no_change_of_an_answer_makes_it_panic(
        which in 0..FIXTURES.len(),
        place in any::<prop::sample::Index>(),
        new in any_json(),
    ) {
        let mut answer = parse(FIXTURES[which]);
        let mut places = Vec::new();
        pointers(&answer, "", &mut places);
        let place: &String = place.get(&places);
        *answer.pointer_mut(place).unwrap() = new;
        check_replay(&answer.to_string(), &catalog());
    }

    #[test]
    fn no_cut_of_an_answer_makes_it_panic(which in 0..FIXTURES.len(), at in any::<prop::sample::Index>()) {
        let text = FIXTURES[which];
        let end = at.index(text.len());
        check_replay(&text[..end], &catalog());
    }
}
