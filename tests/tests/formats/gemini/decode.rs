//! Responses of Gemini, read.

use serde_json::{Value, json};
use tests::wire::{opaque, parse, refused};
use tool_runtime::provider::gemini::{FORMAT, decode_response};
use tool_runtime::{Item, ModelErrorKind, ModelResponse, StopReason, ToolCall};

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
fn calls_texts_and_unknown_parts_are_told_apart() {
    let text = fixture!("gemini/response_calls.json");
    let response = decode(text);
    let calls: Vec<ToolCall> = response.calls().cloned().collect();
    assert_eq!(
        calls,
        [
            ToolCall::new("c1", "read_file", r#"{"path":"a", "n": 12345678901234567890123}"#),
            ToolCall::new("", "find", "").in_namespace("crm"),
            ToolCall::with_text("", "sql", "SELECT 1").in_namespace("crm"),
            ToolCall::new("", "read_file", "{}"),
            ToolCall::new("", "default_api.nothing", "{}"),
        ]
    );
    assert_eq!(response.text(), "I look it up. So.");
    let came = parse(text);
    for index in [0, 8] {
        assert_eq!(kept(&response.items[index]), Some(&came["candidates"][0]["content"]["parts"][index]));
    }
    assert_eq!((response.id.as_deref(), response.stop), (Some("resp_1"), StopReason::Finished));
    let usage = response.usage;
    assert_eq!(
        (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.reasoning_tokens),
        (100, 60, 50, 20)
    );
}

#[test]
fn d_26_a_response_that_was_cut_says_so() {
    let cut = decode(fixture!("gemini/response_cut.json"));
    assert_eq!((cut.stop.clone(), cut.calls().count()), (StopReason::OutputLimit, 2));
    assert!(cut.stop.is_cut());
    for (reason, stop) in [
        ("STOP", StopReason::Finished),
        ("SAFETY", StopReason::Filtered),
        ("RECITATION", StopReason::Filtered),
        ("UNEXPECTED_TOOL_CALL", StopReason::MalformedCall("UNEXPECTED_TOOL_CALL".to_owned())),
        ("TOO_MANY_TOOL_CALLS", StopReason::Other("TOO_MANY_TOOL_CALLS".to_owned())),
        ("SOMETHING_NEW", StopReason::Other("SOMETHING_NEW".to_owned())),
    ] {
        assert_eq!(decode(&json!({"candidates": [{"finishReason": reason}]}).to_string()).stop, stop);
    }
}

#[test]
fn a_malformed_call_is_no_call_and_keeps_its_words() {
    let response = decode(fixture!("gemini/response_malformed.json"));
    let words = "MALFORMED_FUNCTION_CALL: Malformed function call: print(default_api.read_file(path='a'))";
    assert_eq!((response.stop, response.items), (StopReason::MalformedCall(words.to_owned()), Vec::new()));
}

#[test]
fn a_reported_failure_keeps_the_providers_words() {
    let error = decode_response(fixture!("gemini/error.json"), &catalog()).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, true));
    assert_eq!(error.to_string(), "Resource has been exhausted. (`RESOURCE_EXHAUSTED`)");
    let invalid =
        json!({"error": {"code": 400, "message": "Unknown name \"const\"", "status": "INVALID_ARGUMENT"}});
    let error = decode_response(&invalid.to_string(), &catalog()).unwrap_err();
    assert_eq!((error.retryable, error.code.as_deref()), (false, Some("INVALID_ARGUMENT")));
    let blocked = decode_response(fixture!("gemini/response_blocked.json"), &catalog()).unwrap_err();
    assert_eq!((blocked.kind, blocked.retryable), (ModelErrorKind::Provider, false));
    assert_eq!(blocked.to_string(), "the provider blocked the request (`PROHIBITED_CONTENT`)");
}

#[test]
fn other_candidates_are_other_answers() {
    let candidate =
        |index: usize, text: &str| json!({"index": index, "content": {"parts": [{"text": text}]}});
    let response = decode(&json!({"candidates": [candidate(1, "b"), candidate(0, "a")]}).to_string());
    assert_eq!(response.text(), "a");
}

#[test]
fn a_broken_part_is_named() {
    let at_one = |part: Value| {
        refusal(&json!({"candidates": [{"content": {"parts": [{"text": "a"}, part]}}]}).to_string())
    };
    assert_eq!(at_one(json!("text")), "`parts[1]` is no object");
    assert_eq!(at_one(json!({"functionCall": "f"})), "`parts[1]` (functionCall) is no object");
    assert_eq!(at_one(json!({"functionCall": {"name": ""}})), "`parts[1]` (functionCall) has no `name`");
    for piece in [json!({"name": "f", "willContinue": true}), json!({"name": "f", "partialArgs": []})] {
        assert!(at_one(json!({"functionCall": piece})).contains("leave `streamFunctionCallArguments` off"));
    }
}

#[test]
fn what_is_no_response_is_refused() {
    assert_eq!(refusal("<html>"), "the answer is no JSON object");
    assert_eq!(refusal("[]"), "the answer is no JSON object");
    assert_eq!(refusal("{}"), "the answer holds no candidate");
    assert!(refusal("{").starts_with("the answer is no response object: EOF"));
    assert_eq!(refusal(r#"{"candidates":[1]}"#), "`candidates[0]` is no object");
}
