//! What holds for any history and any answer.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::anthropic_rules::complaints;
use tests::arbitrary::{
    answered_calls, any_changes, any_history, any_stream_changes, changed, changed_stream, is_carried,
};
use tests::wire::{events, parse};
use tool_runtime::provider::anthropic::{decode_response, encode_messages};
use tool_runtime::{Item, ToolCall, ToolSet};

use super::stream::streamed;
use crate::{catalog, fixture};

const FIXTURES: [&str; 5] = [
    fixture!("anthropic/response_calls.json"),
    fixture!("anthropic/response_search.json"),
    fixture!("anthropic/response_program.json"),
    fixture!("anthropic/response_cut.json"),
    fixture!("anthropic/error.json"),
];
const STREAMS: [&str; 2] = [fixture!("anthropic/stream.sse"), fixture!("anthropic/stream_cut.sse")];

/// Whatever was read can be sent again. Blocks that only the provider understands go back as they came, good or not.
fn check_own(set: &ToolSet, items: &[Item]) {
    let complaints = complaints(parse(&encode_messages(set, items)).as_array().unwrap());
    let about = ["roles", "`tool_use", "content is empty"];
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
    fn no_change_of_a_stream_makes_it_panic(stream in 0..STREAMS.len(), changes in any_stream_changes()) {
        let set = catalog();
        if let Ok((response, _)) = streamed(&set, &changed_stream(events(STREAMS[stream]), changes)) {
            check_own(&set, &response.items);
        }
    }

    #[test]
    fn any_history_is_legal_and_comes_back_with_the_same_calls_and_results(items in any_history()) {
        let set = catalog();
        let messages = parse(&encode_messages(&set, &items));
        prop_assert_eq!(complaints(messages.as_array().unwrap()), Vec::<String>::new());
        let blocks = |role: &str, kind: &str| -> Vec<Value> {
            let messages = messages.as_array().unwrap().iter().filter(|message| message["role"] == role);
            let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
            blocks.filter(|block| block["type"] == kind).cloned().collect()
        };
        let calls = blocks("assistant", "tool_use");
        let results = blocks("user", "tool_result");
        let back = decode_response(&json!({"content": calls}).to_string(), &set).unwrap();
        let back: Vec<&ToolCall> = back.calls().collect();
        let asked = answered_calls(&items);
        prop_assert_eq!(asked.len(), back.len());
        for (((asked, answer), back), result) in asked.into_iter().zip(back).zip(&results) {
            prop_assert_eq!(&result["tool_use_id"], &Value::from(&*back.id));
            if let Some((text, is_error)) = answer {
                let is_text = result["content"].is_string();
                prop_assert!(!is_text || result["content"] == *text);
                prop_assert_eq!(result.get("is_error").is_some(), is_error);
            }
            if is_carried(asked) {
                let mut asked = asked.clone();
                asked.id.clone_from(&back.id);
                asked.caller = tool_runtime::Caller::Direct;
                prop_assert_eq!(parse_input(&asked), parse_input(back));
                prop_assert_eq!((&asked.namespace, &asked.name), (&back.namespace, &back.name));
            }
        }
    }

    #[test]
    fn a_text_of_the_model_comes_back(text in ".{1,20}") {
        let set = catalog();
        let sent = parse(&encode_messages(&set, &[Item::user("go"), Item::assistant(text.as_str())]));
        let back = decode_response(&json!({"content": sent.get(1).map_or(json!([]), |m| m["content"].clone())}).to_string(), &set);
        let expected = if text.trim().is_empty() { "" } else { &text };
        prop_assert_eq!(back.unwrap().text(), expected);
    }
}

/// What the model wrote, JSON as a value.
fn parse_input(call: &ToolCall) -> Result<Value, String> {
    match &call.input {
        tool_runtime::CallInput::Json(text) => Ok(parse(text)),
        tool_runtime::CallInput::Text(text) => Err(text.clone()),
        _ => unreachable!("there are no others"),
    }
}
