//! Messages of Anthropic, read.

use serde_json::{Value, json};
use tests::wire::{opaque, parse, refused};
use tool_runtime::provider::anthropic::{FORMAT, decode_response};
use tool_runtime::{Caller, Item, ModelErrorKind, ModelResponse, StopReason, ToolCall, ToolName};

use crate::{catalog, fixture};

fn decode(text: &str) -> ModelResponse {
    decode_response(text, &catalog()).unwrap()
}

fn refusal(text: &str) -> String {
    refused(decode_response(text, &catalog()))
}

fn kept(item: &Item) -> Option<&Value> {
    opaque(FORMAT, item)
}

#[test]
fn calls_texts_and_unknown_blocks_are_told_apart() {
    let text = fixture!("anthropic/response_calls.json");
    let response = decode(text);
    let calls: Vec<ToolCall> = response.calls().cloned().collect();
    assert_eq!(
        calls,
        [
            ToolCall::new("toolu_1", "read_file", r#"{"path":"a", "n": 12345678901234567890123}"#),
            ToolCall::new("toolu_2", "find", "{}").in_namespace("crm"),
            ToolCall::with_text("toolu_3", "sql", "SELECT 1").in_namespace("crm"),
            ToolCall::new("toolu_4", "get_weather", "{}"),
        ]
    );
    assert_eq!(response.text(), "I look it up. As they say.");
    let came = parse(text);
    let kept_at: Vec<usize> = (0..9).filter(|&index| kept(&response.items[index]).is_some()).collect();
    assert_eq!(kept_at, [0, 1, 8]);
    for index in kept_at {
        assert_eq!(kept(&response.items[index]), Some(&came["content"][index]));
    }
    assert_eq!((response.id.as_deref(), response.stop), (Some("msg_1"), StopReason::Finished));
    let usage = response.usage;
    assert_eq!((usage.input_tokens, usage.cached_input_tokens, usage.output_tokens), (100, 60, 50));
}

#[test]
fn tools_that_a_search_put_before_the_model_are_named() {
    let response = decode(fixture!("anthropic/response_search.json"));
    let loaded: Vec<&ToolName> = response.loaded().collect();
    assert_eq!(loaded, [&ToolName::namespaced("crm", "delete"), &ToolName::bare("get_weather")]);
    assert_eq!(response.calls().count(), 1);
}

#[test]
fn a_call_by_a_program_names_it() {
    let response = decode(fixture!("anthropic/response_program.json"));
    let call = response.calls().next().unwrap();
    assert_eq!(call.caller, Caller::Program { caller_id: "srvtoolu_1".to_owned() });
}

#[test]
fn d_26_a_response_that_was_cut_says_so() {
    let cut = decode(fixture!("anthropic/response_cut.json"));
    assert_eq!((cut.stop.clone(), cut.calls().count()), (StopReason::OutputLimit, 2));
    assert!(cut.stop.is_cut());
    for (reason, stop) in [
        ("end_turn", StopReason::Finished),
        ("stop_sequence", StopReason::Finished),
        ("model_context_window_exceeded", StopReason::OutputLimit),
        ("refusal", StopReason::Filtered),
        ("pause_turn", StopReason::Paused),
        ("something_new", StopReason::Other("something_new".to_owned())),
    ] {
        assert_eq!(decode(&json!({"content": [], "stop_reason": reason}).to_string()).stop, stop);
    }
}

#[test]
fn a_reported_failure_keeps_the_providers_words() {
    let error = decode_response(fixture!("anthropic/error.json"), &catalog()).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, true));
    assert_eq!(error.to_string(), "Overloaded (`overloaded_error`)");
    let retryable = |kind: &str| {
        let body = json!({"type": "error", "error": {"type": kind, "message": "m"}}).to_string();
        decode_response(&body, &catalog()).unwrap_err().retryable
    };
    assert!(retryable("api_error") && retryable("rate_limit_error") && retryable("timeout_error"));
    assert!(
        !retryable("invalid_request_error")
            && !retryable("authentication_error")
            && !retryable("billing_error")
    );
    let bare = decode_response(r#"{"type":"error"}"#, &catalog()).unwrap_err();
    assert_eq!(bare.to_string(), "the provider sent an error without a reason");
}

#[test]
fn a_broken_block_is_named() {
    let at_one = |block: Value| refusal(&json!({"content": [{"type": "x"}, block]}).to_string());
    assert_eq!(at_one(json!("text")), "`content[1]` is no object");
    assert_eq!(at_one(json!({"name": "f"})), "`content[1]` has no `type`");
    assert_eq!(at_one(json!({"type": "tool_use", "name": ""})), "`content[1]` (tool_use) has no `name`");
    assert_eq!(
        at_one(json!({"type": "tool_use", "name": "f", "caller": {"type": "ghost"}})),
        "`content[1]` (tool_use) has a `caller` of an unknown kind"
    );
}

#[test]
fn what_is_no_message_is_refused() {
    assert_eq!(refusal("<html>"), "the answer is no JSON object");
    assert_eq!(refusal("[]"), "the answer is no JSON object");
    assert_eq!(refusal("{}"), "the answer is no message: it has no list `content`");
    assert!(refusal("{").starts_with("the answer is no message: EOF"));
}
