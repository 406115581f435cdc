//! What holds for any set, any history and any answer.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::arbitrary::{any_changes, any_rounds, changed};
use tests::responses_rules::complaints;
use tests::wire::{parse, tool};
use tool_runtime::provider::responses::{decode_response, encode_input, encode_tools};
use tool_runtime::{Item, Namespace, ToolCall, ToolSet, ToolSpec};

use crate::fixture;

const FIXTURES: [&str; 7] = [
    fixture!("response_calls"),
    fixture!("response_tool_search"),
    fixture!("response_program"),
    fixture!("response_cut"),
    fixture!("response_refusal"),
    fixture!("response_failed"),
    fixture!("error"),
];

/// Whatever was read can be sent again, and what is sent can be read.
fn check_replay(text: &str) {
    if let Ok(response) = decode_response(text) {
        let complaints = complaints(&encode_input(&response.items));
        // What was read is half a round: its calls are still to be answered. Items of other types go back as they came.
        let is_own = |complaint: &&String| {
            ["call_id", "illegal", "arguments", "input is"].iter().any(|about| complaint.contains(about))
        };
        assert_eq!(complaints.iter().filter(is_own).collect::<Vec<_>>(), Vec::<&String>::new());
    }
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
        changes in any_changes(),
    ) {
        check_replay(&changed(FIXTURES[fixture], changes));
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
    fn any_history_is_legal_and_comes_back_as_the_same_calls(items in any_rounds()) {
        let input = encode_input(&items);
        prop_assert_eq!(complaints(&input), Vec::<String>::new());
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
