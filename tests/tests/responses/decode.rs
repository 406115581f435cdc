//! Response objects, read.

use serde_json::{Value, json};
use tests::wire::{opaque, parse, refused};
use tool_runtime::provider::responses::{FORMAT, decode_response};
use tool_runtime::{Caller, Item, ModelErrorKind, ModelResponse, StopReason, ToolCall, ToolName};

use crate::fixture;

fn decode(text: &str) -> ModelResponse {
    decode_response(text).unwrap()
}

fn output(items: &Value) -> String {
    json!({"status": "completed", "output": items}).to_string()
}

fn refusal(text: &str) -> String {
    refused(decode_response(text))
}

fn kept(item: &Item) -> Option<&Value> {
    opaque(FORMAT, item)
}

#[test]
fn calls_texts_and_unknown_items_are_told_apart() {
    let response = decode(fixture!("response_calls"));
    let calls: Vec<ToolCall> = response.calls().cloned().collect();
    assert_eq!(
        calls,
        [
            ToolCall::new("call_1", "read_file", r#"{"path":"a", "n": 12345678901234567890123}"#),
            ToolCall::new("call_2", "find", "").in_namespace("crm"),
            ToolCall::with_text("call_3", "sql", "{\"not\": json} 'SELECT 1'"),
            // As it came: what it means is for dispatch to say.
            ToolCall::new("call_4", "get_weather", "{}").in_namespace("get_weather"),
        ]
    );
    assert_eq!(response.text(), "I look it up.");
    let came = parse(fixture!("response_calls"));
    let kept_at: Vec<usize> = (0..8).filter(|&index| kept(&response.items[index]).is_some()).collect();
    assert_eq!(kept_at, [0, 6, 7]);
    for index in kept_at {
        assert_eq!(kept(&response.items[index]), Some(&came["output"][index]));
    }
    assert_eq!((response.id.as_deref(), response.stop.clone()), (Some("resp_1"), StopReason::Finished));
    assert_eq!(response.anchor(), Some("resp_1"));
    let usage = response.usage;
    assert_eq!(
        (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.reasoning_tokens),
        (100, 60, 50, 20)
    );
}

#[test]
fn tools_that_a_search_put_before_the_model_are_named() {
    let response = decode(fixture!("response_tool_search"));
    let loaded: Vec<&ToolName> = response.loaded().collect();
    assert_eq!(loaded, [&ToolName::namespaced("crm", "delete"), &ToolName::bare("get_weather")]);
    assert!(kept(&response.items[0]).is_some());
    assert_eq!(response.calls().count(), 1);
}

#[test]
fn a_call_by_a_program_is_a_call_although_it_is_in_progress() {
    let response = decode(fixture!("response_program"));
    let calls: Vec<&ToolCall> = response.calls().collect();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].caller, Caller::Program { caller_id: "call_1".to_owned() });
    assert_eq!(response.stop, StopReason::Finished);
}

#[test]
fn a_response_that_was_cut_says_so_and_is_no_anchor() {
    let cut = decode(fixture!("response_cut"));
    assert_eq!((cut.stop.clone(), cut.anchor()), (StopReason::OutputLimit, None));
    assert!(cut.stop.is_cut());
    assert_eq!(cut.calls().count(), 2);
    let filtered = decode(fixture!("response_refusal"));
    assert_eq!(
        (filtered.stop.clone(), filtered.text()),
        (StopReason::Filtered, "I cannot do that.".to_owned())
    );
    for (status, details, reason) in [
        ("incomplete", json!({"reason": "tired"}), "tired"),
        ("incomplete", Value::Null, "incomplete"),
        ("paused", Value::Null, "paused"),
    ] {
        let text = json!({"status": status, "incomplete_details": details, "output": []}).to_string();
        assert_eq!(decode(&text).stop, StopReason::Other(reason.to_owned()));
    }
}

#[test]
fn a_call_that_the_model_did_not_finish_cuts_the_response() {
    for status in ["in_progress", "incomplete"] {
        let call = json!({"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "status": status});
        assert!(decode(&output(&json!([call]))).stop.is_cut());
    }
}

#[test]
fn a_reported_failure_keeps_the_providers_words() {
    let error = decode_response(fixture!("response_failed")).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, true));
    assert_eq!(error.to_string(), "the model is out of order (`server_error`)");
    let error = decode_response(fixture!("error")).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, false));
    assert_eq!(error.to_string(), "Invalid schema for function 'f' (`invalid_function_parameters`)");
    let quota = json!({"status": "failed", "error": {"code": "insufficient_quota", "message": "pay first"}});
    assert!(!decode_response(&quota.to_string()).unwrap_err().retryable);
    let bare = decode_response(r#"{"status":"cancelled","output":[]}"#).unwrap_err();
    assert_eq!(bare.to_string(), "the provider gave no reason (status `cancelled`)");
    let flat = decode_response(r#"{"error":"model not found"}"#).unwrap_err();
    assert_eq!(flat.to_string(), "model not found");
}

#[test]
fn what_a_lenient_server_leaves_out_is_not_missed() {
    let text = r#"{"output":[{"type":"message","content":"hi"},{"type":"function_call","name":"f"}]}"#;
    let response = decode(text);
    assert_eq!((response.text(), response.stop.clone()), ("hi".to_owned(), StopReason::Finished));
    assert_eq!(response.calls().collect::<Vec<_>>(), [&ToolCall::new("", "f", "")]);
    assert_eq!(response.anchor(), None);
}

#[test]
fn arguments_that_came_as_an_object_keep_every_digit() {
    let text = r#"{"output":[{"type":"function_call","call_id":"c","name":"f","arguments":{"n":12345678901234567890123,"x":1.10}}]}"#;
    let response = decode(text);
    let call = response.calls().next().unwrap();
    assert_eq!(call.input.as_str(), r#"{"n":12345678901234567890123,"x":1.10}"#);
}

#[test]
fn a_users_message_among_the_output_is_not_the_models() {
    let text = output(&json!([{"type": "message", "role": "user", "content": "hi"}]));
    let response = decode(&text);
    assert_eq!(response.text(), "");
    assert!(kept(&response.items[0]).is_some());
}

#[test]
fn a_broken_item_is_named() {
    let at_one = |item: Value| refusal(&output(&json!([{"type": "reasoning"}, item])));
    assert_eq!(at_one(json!("text")), "`output[1]` is no object");
    assert_eq!(at_one(json!({"name": "f"})), "`output[1]` has no `type`");
    for nameless in [json!({"type": "function_call"}), json!({"type": "function_call", "name": ""})] {
        assert_eq!(at_one(nameless), "`output[1]` (function_call) has no `name`");
    }
    assert_eq!(
        at_one(json!({"type": "custom_tool_call", "name": "f", "caller": {"type": "program"}})),
        "`output[1]` (custom_tool_call) is called by a program, but has no `caller_id`"
    );
    assert_eq!(
        at_one(json!({"type": "function_call", "name": "f", "caller": {"type": "ghost"}})),
        "`output[1]` (function_call) has a `caller` of an unknown kind"
    );
    let deep = format!(r#"{{"output":[{{"type":"x","a":{}1{}}}]}}"#, "[".repeat(9_000), "]".repeat(9_000));
    assert!(refusal(&deep).starts_with("`output[0]` cannot be read: recursion limit exceeded"));
}

#[test]
fn what_is_no_response_is_refused() {
    assert_eq!(refusal(""), "the answer is no JSON object");
    assert_eq!(refusal("<html>"), "the answer is no JSON object");
    assert_eq!(refusal(r#"["id","completed",[]]"#), "the answer is no JSON object");
    assert!(refusal("{").starts_with("the answer is no response object: EOF"));
    assert_eq!(refusal("{}"), "the answer is no response object: it has no list `output`");
    assert!(refusal(r#"{"output":{}}"#).starts_with("the answer is no response object: invalid type: map"));
    assert!(refusal(r#"{"status":"in_progress","output":[]}"#).starts_with("the response is not finished"));
}
