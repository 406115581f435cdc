//! What holds for any history and any answer.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::arbitrary::{
    answered_calls, any_changes, any_history, any_stream_changes, changed, changed_stream, is_carried,
};
use tests::gemini_rules::complaints;
use tests::wire::{events, parse};
use tool_runtime::provider::gemini::{Settings, decode_response, encode_contents};
use tool_runtime::{CallInput, Caller, ToolCall, ToolSet};

use super::stream::streamed;
use crate::{catalog, fixture};

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

/// Whatever was read can be sent again. Parts that only the provider understands go back as they came, good or not.
fn check_own(set: &ToolSet, items: &[tool_runtime::Item]) {
    let complaints = complaints(encoded(set, items).as_array().unwrap());
    let about = ["roles", "there are no parts", "function", "illegal name", "args"];
    let own: Vec<_> =
        complaints.iter().filter(|what| about.iter().any(|about| what.contains(about))).collect();
    assert_eq!(own, Vec::<&String>::new());
}

/// Whatever was read can be sent again.
fn check_replay(text: &str, set: &ToolSet) {
    if let Ok(response) = decode_response(text, set) {
        check_own(set, &response.items);
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
            check_own(&set, &response.items);
        }
    }

    #[test]
    fn any_history_is_legal_and_comes_back_with_the_same_calls_and_results(items in any_history()) {
        let set = catalog();
        let contents = encoded(&set, &items);
        prop_assert_eq!(complaints(contents.as_array().unwrap()), Vec::<String>::new());
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
