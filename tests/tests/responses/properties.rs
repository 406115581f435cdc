//! What holds for any set, any history and any answer.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::provider::responses::{decode_response, encode_input, encode_tools};
use tool_runtime::{Caller, Item, Namespace, ResultItem, ToolCall, ToolSet, ToolSpec};

use crate::{fixture, parse, tool};

const FIXTURES: [&str; 7] = [
    fixture!("response_calls"),
    fixture!("response_tool_search"),
    fixture!("response_program"),
    fixture!("response_cut"),
    fixture!("response_refusal"),
    fixture!("response_failed"),
    fixture!("error"),
];

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_]{0,8}".prop_map(Value::from),
        Just(json!("function_call")),
        Just(json!("program")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("type|name|[a-z]{0,3}", inner), 0..3)
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
            members.iter().for_each(|(key, member)| pointers(member, &format!("{at}/{key}"), all))
        }
        _ => {}
    }
}

/// Whatever was read can be sent again, and what is sent can be read.
fn check_replay(text: &str) {
    if let Ok(response) = decode_response(text) {
        check_input(&encode_input(&response.items));
    }
}

/// The provider's rules for calls and results.
fn check_input(input: &[Value]) {
    let mut open = Vec::new();
    let mut seen = HashSet::new();
    for item in input {
        let kind = item["type"].as_str().unwrap();
        let id = item["call_id"].as_str();
        match kind {
            "function_call" | "custom_tool_call" => {
                let id = id.unwrap();
                assert!((1..=64).contains(&id.chars().count()) && seen.insert(id), "{item}");
                open.push((id, kind));
                for name in [Some(&item["name"]), item.get("namespace")].into_iter().flatten() {
                    let name = name.as_str().unwrap();
                    let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    assert!((1..=64).contains(&name.len()) && name.chars().all(legal), "{item}");
                }
                if kind == "function_call" {
                    assert!(parse(item["arguments"].as_str().unwrap()).is_object(), "{item}");
                }
            }
            "function_call_output" | "custom_tool_call_output" => {
                let call = (id.unwrap(), kind.trim_end_matches("_output"));
                let position = open.iter().position(|open| *open == call);
                open.remove(position.unwrap_or_else(|| panic!("an output without a call: {item}")));
            }
            _ => {}
        }
    }
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    let id = prop_oneof![Just(String::new()), Just("x".to_owned()), "call_[1-3]", ".{0,80}"];
    let name = prop_oneof!["[a-zA-Z_][a-zA-Z0-9_-]{0,63}", ".{0,80}"];
    let namespace = prop::option::of(prop_oneof!["[a-z]{1,9}", ".{0,80}"]);
    let input = prop_oneof![any_json().prop_map(|value| value.to_string()), ".{0,40}"];
    let caller =
        prop_oneof![Just(Caller::Direct), ".{0,9}".prop_map(|caller_id| Caller::Program { caller_id })];
    (id, name, namespace, input, any::<bool>(), caller).prop_map(
        |(id, name, namespace, input, is_text, caller)| {
            let call =
                if is_text { ToolCall::with_text(id, name, input) } else { ToolCall::new(id, name, input) };
            let call = call.by(caller);
            match namespace {
                Some(namespace) => call.in_namespace(namespace),
                None => call,
            }
        },
    )
}

/// A batch of calls and then their results, with texts around.
fn any_history() -> impl Strategy<Value = Vec<Item>> {
    let batch = (prop::collection::vec((any_call(), any::<bool>()), 0..4), ".{0,9}");
    prop::collection::vec(batch, 0..4).prop_map(|batches| {
        let mut items = Vec::new();
        for (calls, text) in batches {
            items.push(Item::user(text.as_str()));
            items.extend(calls.iter().map(|(call, _)| Item::call(call.clone())));
            let answer = |(call, failed): &(ToolCall, bool)| {
                Item::Result(ResultItem::new(call, vec![text.as_str().into()], *failed))
            };
            items.extend(calls.iter().map(answer));
        }
        items
    })
}

/// Whether the format can carry a call as it is.
fn is_legal(call: &ToolCall) -> bool {
    let name = |name: &str| {
        (1..=64).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    let is_object =
        || serde_json::from_str::<Value>(call.input.as_str()).is_ok_and(|value| value.is_object());
    let is_text = matches!(call.input, tool_runtime::CallInput::Text(_));
    name(&call.name) && call.namespace.as_deref().is_none_or(name) && (is_text || is_object())
}

/// A namespace, or none, with the tools that stand there and whether they are deferred.
type Place = (Option<String>, Vec<(String, bool)>);

proptest! {
    #[test]
    fn no_change_of_an_answer_makes_it_panic(
        fixture in 0..FIXTURES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(any_json())), 1..4),
    ) {
        let mut value = parse(FIXTURES[fixture]);
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
        check_replay(&value.to_string());
    }

    #[test]
    fn no_cut_or_changed_text_makes_it_panic(
        fixture in 0..FIXTURES.len(),
        at in any::<prop::sample::Index>(),
        with in ".{0,3}",
    ) {
        let text = FIXTURES[fixture];
        let at = at.index(text.len());
        check_replay(&text[..at]);
        check_replay(&format!("{}{with}{}", &text[..at], &text[at..]));
        check_replay(&format!("{}{with}{}", &text[..at], &text[at + 1..]));
    }

    #[test]
    fn any_text_is_answered(text in ".{0,60}") {
        check_replay(&text);
    }

    #[test]
    fn any_history_is_legal_and_comes_back_as_the_same_calls(items in any_history()) {
        let input = encode_input(&items);
        check_input(&input);
        let calls: Vec<&Value> = input.iter().filter(|item| item["type"].as_str().unwrap().ends_with("_call")).collect();
        let back = decode_response(&json!({"output": calls}).to_string()).unwrap();
        let asked: Vec<&ToolCall> = items.iter().filter_map(Item::as_call).collect();
        let back: Vec<&ToolCall> = back.calls().collect();
        prop_assert_eq!(asked.len(), back.len());
        for (asked, back) in asked.into_iter().zip(back) {
            if is_legal(asked) {
                let mut asked = asked.clone();
                asked.id.clone_from(&back.id);
                prop_assert_eq!(&asked, back);
            }
        }
    }

    #[test]
    fn any_set_is_listed_in_order(
        identities in prop::collection::vec((prop::option::of("n[ab]"), "[a-z]{1,2}", any::<bool>()), 0..12),
    ) {
        let mut seen = HashSet::new();
        let unique: Vec<_> =
            identities.into_iter().filter(|(namespace, name, _)| seen.insert((namespace.clone(), name.clone())) && namespace.as_ref() != Some(name)).collect();
        let tools = unique.iter().map(|(namespace, name, deferred)| {
            let spec = ToolSpec::new(name.clone(), "Does \"something\".").defer_loading(*deferred);
            let spec = match namespace {
                Some(name) => spec.namespace(Namespace { name: name.clone().into(), description: "Some.".into() }),
                None => spec,
            };
            tool(spec, &json!({}))
        });
        let encoded = parse(&encode_tools(&ToolSet::new(tools.collect()).unwrap()));
        let mut expected: Vec<Place> = Vec::new();
        for (namespace, name, deferred) in &unique {
            let known = expected.iter_mut().find(|(known, _)| known.is_some() && known == namespace);
            match known {
                Some((_, members)) => members.push((name.clone(), *deferred)),
                None => expected.push((namespace.clone(), vec![(name.clone(), *deferred)])),
            }
        }
        let member = |entry: &Value| {
            (entry["name"].as_str().unwrap().to_owned(), entry.get("defer_loading") == Some(&json!(true)))
        };
        let mut listed = Vec::new();
        let mut search = false;
        for entry in encoded.as_array().unwrap() {
            match (entry["type"].as_str().unwrap(), entry["tools"].as_array()) {
                ("tool_search", _) => search = true,
                (_, None) => listed.push((None, vec![member(entry)])),
                (_, Some(members)) => listed.push((
                    Some(entry["name"].as_str().unwrap().to_owned()),
                    members.iter().map(member).collect(),
                )),
            }
        }
        prop_assert_eq!(listed, expected);
        prop_assert_eq!(search, unique.iter().any(|(_, _, deferred)| *deferred));
    }
}
