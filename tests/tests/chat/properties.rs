//! What holds for any set, any history and any answer.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::arbitrary::{any_changes, any_history, any_json, changed};
use tests::chat_rules::complaints;
use tool_runtime::provider::chat::{Settings, decode_response, encode_messages};
use tool_runtime::{CallInput, Item, ResultItem, ToolCall, ToolSet};

use crate::{catalog, fixture};

const FIXTURES: [&str; 7] = [
    fixture!("response_calls"),
    fixture!("response_reasoning"),
    fixture!("response_cut"),
    fixture!("response_old"),
    fixture!("response_refusal"),
    fixture!("response_loose"),
    fixture!("error"),
];

fn all_settings() -> [Settings; 2] {
    [Settings::new("m"), Settings::compatible("m")]
}

/// Whatever was read can be sent again, and what is sent can be read.
fn check_replay(text: &str, set: &ToolSet) {
    if let Ok(response) = decode_response(text, set) {
        for settings in all_settings() {
            let messages = encode_messages(&settings, set, None, &response.items);
            assert_eq!(complaints(&messages), Vec::<String>::new());
        }
    }
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
            prop_assert_eq!(complaints(&messages), Vec::<String>::new());
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
        changes in any_changes(),
    ) {
        check_replay(&changed(FIXTURES[which], changes), &catalog());
    }

    #[test]
    fn no_cut_of_an_answer_makes_it_panic(which in 0..FIXTURES.len(), at in any::<prop::sample::Index>()) {
        let text = FIXTURES[which];
        let end = at.index(text.len());
        check_replay(&text[..end], &catalog());
    }
}
