//! What holds for any history and any answer.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::provider::gemini::{Settings, decode_response, encode_contents};
use tool_runtime::{CallInput, Caller, ToolCall, ToolSet};

use super::stream::streamed;
use crate::arbitrary::{
    answered_calls, any_changes, any_history, any_stream_changes, changed, changed_stream, is_carried,
};
use crate::{catalog, events, fixture, parse};

const FIXTURES: [&str; 5] = [
    fixture!("gemini/response_calls.json"),
    fixture!("gemini/response_malformed.json"),
    fixture!("gemini/response_blocked.json"),
    fixture!("gemini/response_cut.json"),
    fixture!("gemini/error.json"),
];

fn encoded(set: &ToolSet, items: &[tool_runtime::Item]) -> Value {
    parse(&encode_contents(&Settings::new("m"), set, items))
}

/// The provider's rules for contents.
fn check_contents(contents: &Value) {
    let mut open: Vec<(&Value, Option<&Value>)> = Vec::new();
    let mut expected = "user";
    for content in contents.as_array().unwrap() {
        assert_eq!(content["role"], expected, "{contents}");
        let parts = content["parts"].as_array().unwrap();
        assert!(!parts.is_empty());
        let of_kind = |kind: &'static str| parts.iter().filter_map(move |part| part.get(kind));
        if expected == "user" {
            let answers: Vec<_> =
                of_kind("functionResponse").map(|answer| (&answer["name"], answer.get("id"))).collect();
            assert_eq!(answers, open, "one answer for each call, in order: {contents}");
            assert!(of_kind("functionResponse").all(|answer| answer["response"].is_object()), "{content}");
            assert_eq!(of_kind("functionCall").count(), 0);
            open.clear();
        } else {
            assert_eq!(of_kind("functionResponse").count(), 0);
            for call in of_kind("functionCall") {
                assert!(call["args"].is_object(), "{call}");
                let name = call["name"].as_str().unwrap();
                let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                assert!((1..=64).contains(&name.len()) && name.chars().all(legal), "{call}");
                open.push((&call["name"], call.get("id")));
            }
        }
        expected = if expected == "user" { "model" } else { "user" };
    }
    assert!(open.is_empty(), "{open:?} are not answered: {contents}");
}

/// Whatever was read can be sent again.
fn check_replay(text: &str, set: &ToolSet) {
    if let Ok(response) = decode_response(text, set) {
        check_contents(&encoded(set, &response.items));
    }
}

proptest! {
    #[test]
    fn no_change_of_an_answer_makes_it_panic(fixture in 0..FIXTURES.len(), changes in any_changes()) {
        check_replay(&changed(FIXTURES[fixture], changes), &catalog());
    }

    #[test]
    fn no_cut_or_changed_text_makes_it_panic(
        fixture in 0..FIXTURES.len(),
        at in any::<prop::sample::Index>(),
        with in ".{0,3}",
    ) {
        let text = FIXTURES[fixture];
        let at = at.index(text.len());
        check_replay(&text[..at], &catalog());
        check_replay(&format!("{}{with}{}", &text[..at], &text[at + 1..]), &catalog());
    }

    #[test]
    fn no_change_of_a_stream_makes_it_panic(changes in any_stream_changes()) {
        let set = catalog();
        let events = changed_stream(events(fixture!("gemini/stream.sse")), changes);
        if let Ok((response, _)) = streamed(&set, &events) {
            check_contents(&encoded(&set, &response.items));
        }
    }

    #[test]
    fn any_history_is_legal_and_comes_back_with_the_same_calls_and_results(items in any_history()) {
        let set = catalog();
        let contents = encoded(&set, &items);
        check_contents(&contents);
        let parts = |kind: &str| -> Vec<Value> {
            let parts = contents.as_array().unwrap().iter().filter_map(|content| content["parts"].as_array());
            parts.flatten().filter(|part| part.get(kind).is_some()).cloned().collect()
        };
        let calls = parts("functionCall");
        let results = parts("functionResponse");
        let response = json!({"candidates": [{"content": {"parts": calls}}]}).to_string();
        let back = decode_response(&response, &set).unwrap();
        let back: Vec<&ToolCall> = back.calls().collect();
        let asked = answered_calls(&items);
        prop_assert_eq!((asked.len(), asked.len()), (back.len(), results.len()));
        for (((asked, answer), back), result) in asked.into_iter().zip(back).zip(&results) {
            if let Some((text, is_error)) = answer {
                let key = if is_error { "error" } else { "output" };
                prop_assert_eq!(&result["functionResponse"]["response"], &json!({ key: text }));
            }
            if is_carried(asked) {
                let mut asked = asked.clone();
                asked.id.clear();
                asked.caller = Caller::Direct;
                if let (CallInput::Json(asked), CallInput::Json(back)) = (&mut asked.input, &back.input) {
                    prop_assert_eq!(parse(asked), parse(back));
                    asked.clone_from(back);
                }
                prop_assert_eq!(&asked, back);
            }
        }
    }
}
