//! Names of any set, as providers without namespaces list them.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::wire::{parse, tool};
use tool_runtime::provider::{anthropic, chat, gemini};
use tool_runtime::{ModelResponse, Namespace, ToolCall, ToolSet, ToolSpec};

/// Names that run into each other when they are joined, and long ones.
fn any_identity() -> impl Strategy<Value = (Option<String>, String)> {
    let name = || prop_oneof!["[ab]", "a__b", "[ab]__[ab]", "(a_){30}[ab]{4}"];
    (prop::option::of(name()), name())
}

/// The names of a list, and the calls that come back when each is called.
fn round_trips(set: &ToolSet) -> [(Vec<String>, Vec<ToolCall>); 3] {
    let names = |entries: &Value, name: &str| -> Vec<String> {
        let names = entries.as_array().unwrap().iter().filter_map(|entry| entry.pointer(name));
        names.map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    let calls = |response: ModelResponse| response.calls().cloned().collect::<Vec<ToolCall>>();
    let listed = names(&parse(&chat::encode_tools(&chat::Settings::new("m"), set)), "/function/name");
    let asked = listed
        .iter()
        .map(|name| json!({"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}));
    let answer = json!({"choices": [{"message": {"tool_calls": asked.collect::<Vec<_>>()}, "finish_reason": "tool_calls"}]});
    let from_chat = calls(chat::decode_response(&answer.to_string(), set).unwrap());
    let named = names(&parse(&anthropic::encode_tools(&anthropic::Settings::new("m"), set)), "/name");
    let asked = named.iter().map(|name| json!({"type": "tool_use", "id": "c", "name": name, "input": {}}));
    let answer = json!({"content": asked.collect::<Vec<_>>(), "stop_reason": "tool_use"});
    let from_anthropic = calls(anthropic::decode_response(&answer.to_string(), set).unwrap());
    let tools = parse(&gemini::encode_tools(&gemini::Settings::new("m"), set));
    let declared =
        tools.get(0).map(|entry| names(&entry["functionDeclarations"], "/name")).unwrap_or_default();
    let asked = declared.iter().map(|name| json!({"functionCall": {"name": name, "args": {}}}));
    let answer =
        json!({"candidates": [{"content": {"parts": asked.collect::<Vec<_>>()}, "finishReason": "STOP"}]});
    let from_gemini = calls(gemini::decode_response(&answer.to_string(), set).unwrap());
    [(listed, from_chat), (named, from_anthropic), (declared, from_gemini)]
}

proptest! {
    #[test]
    fn any_set_is_listed_under_names_of_its_own_that_lead_back(
        identities in prop::collection::vec(any_identity(), 0..12),
    ) {
        let mut seen = HashSet::new();
        let unique: Vec<_> = identities
            .into_iter()
            .filter(|(namespace, name)| namespace.as_ref() != Some(name) && seen.insert((namespace.clone(), name.clone())))
            .collect();
        let tools = unique.iter().map(|(namespace, name)| {
            let spec = ToolSpec::new(name.clone(), "Does it.");
            let spec = match namespace {
                Some(name) => spec.namespace(Namespace { name: name.clone().into(), description: "Some.".into() }),
                None => spec,
            };
            tool(spec, &json!({}))
        });
        let set = ToolSet::new(tools.collect()).unwrap();
        for (names, calls) in round_trips(&set) {
            prop_assert_eq!(names.iter().collect::<HashSet<_>>().len(), unique.len());
            prop_assert!(names.iter().all(|name| name.len() <= 64), "{:?}", names);
            let back: Vec<_> = calls.into_iter().map(|call| (call.namespace, call.name)).collect();
            prop_assert_eq!(&back, &unique);
        }
    }
}
