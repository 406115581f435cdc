//! Completion objects, read.

use serde_json::json;
use tool_runtime::provider::chat::{FORMAT, decode_response};
use tool_runtime::{
    Caller, DispatchOptions, Events, Item, ModelError, ModelErrorKind, ModelResponse, StopReason, ToolCall,
    dispatch,
};

use crate::{catalog, fixture};

fn decode(text: &str) -> Result<ModelResponse, ModelError> {
    decode_response(text, &catalog())
}

#[test]
fn calls_are_of_the_tools_that_their_flat_names_stand_for() {
    let response = decode(fixture!("response_calls")).unwrap();
    assert_eq!(response.id.as_deref(), Some("chatcmpl-1"));
    assert_eq!((response.text(), &response.stop), ("I look.".to_owned(), &StopReason::Finished));
    let calls: Vec<ToolCall> = response.calls().cloned().collect();
    assert_eq!(
        calls,
        [
            ToolCall::new("call_1", "read_file", r#"{"path": "a"}"#),
            ToolCall::new("call_2", "find", r#"{"q":"ada"}"#).in_namespace("crm"),
            ToolCall::with_text("call_3", "sql", "SELECT \"1\"").in_namespace("crm"),
            ToolCall::new("call_4", "no_such", ""),
        ]
    );
    assert!(calls.iter().all(|call| call.caller == Caller::Direct));
    let usage = response.usage;
    assert_eq!((usage.input_tokens, usage.cached_input_tokens), (120, 64));
    assert_eq!((usage.output_tokens, usage.reasoning_tokens), (40, 16));
}

#[test]
fn reasoning_of_a_server_is_kept_as_it_is() {
    let response = decode(fixture!("response_reasoning")).unwrap();
    let Item::Opaque(native) = &response.items[0] else { panic!("{response:?}") };
    assert_eq!(native.of_format(FORMAT), Some(&json!({"reasoning_content": "The user wants the file."})));
    let Item::Call(call) = &response.items[1] else { panic!("{response:?}") };
    let beside = call.native.as_ref().unwrap().of_format(FORMAT).unwrap();
    assert_eq!(beside, &json!({"extra_content": {"vendor": {"signature": "c2ln"}}}));
    assert_eq!(response.usage.cached_input_tokens, 3);
}

#[test]
fn what_servers_leave_out_or_write_otherwise_is_read_too() {
    let response = decode(fixture!("response_loose")).unwrap();
    assert_eq!((response.id.as_ref(), response.text()), (None, "I look.".to_owned()));
    let calls: Vec<ToolCall> = response.calls().cloned().collect();
    assert_eq!(
        calls,
        [
            // An object instead of its text keeps every digit.
            ToolCall::new("", "read_file", r#"{"path":"a","n":12345678901234567890123,"x":1.0}"#),
            ToolCall::new("", "price", ""),
            ToolCall::with_text("", "apply_patch", "x"),
        ]
    );
}

#[test]
fn a_free_text_that_came_as_a_function_is_unwrapped_only_if_it_is_all_there_is() {
    let input = |arguments: &str| {
        let call = json!({"id": "c", "function": {"name": "crm__sql", "arguments": arguments}});
        let answer = json!({"choices": [{"message": {"tool_calls": [call]}}]}).to_string();
        let response = decode(&answer).unwrap();
        response.calls().next().unwrap().clone()
    };
    let sql = |call: ToolCall| call.in_namespace("crm");
    assert_eq!(input(r#" {"input": "SELECT 1"} "#), sql(ToolCall::with_text("c", "sql", "SELECT 1")));
    for other in [r#"{"input":1}"#, r#"{"input":"a","more":1}"#, r#"["a"]"#, r#"{"input":"a"#, "SELECT 1", ""]
    {
        assert_eq!(input(other), sql(ToolCall::new("c", "sql", other)));
    }
}

#[test]
fn the_old_form_is_one_call() {
    let response = decode(fixture!("response_old")).unwrap();
    assert_eq!(response.stop, StopReason::Finished);
    assert_eq!(response.calls().collect::<Vec<_>>(), [&ToolCall::new("", "read_file", r#"{"path":"a"}"#)]);
}

#[test]
fn d_26_a_response_that_was_cut_says_so_whatever_its_calls_look_like() {
    let response = decode(fixture!("response_cut")).unwrap();
    assert_eq!((&response.stop, response.calls().count()), (&StopReason::OutputLimit, 2));
    assert!(response.stop.is_cut() && response.anchor().is_none());
}

#[test]
fn every_reason_to_stop_is_told_apart() {
    let stop = |reason: serde_json::Value| {
        let answer = json!({"choices": [{"message": {"content": "a"}, "finish_reason": reason}]});
        decode(&answer.to_string()).unwrap().stop
    };
    for reason in ["stop", "tool_calls", "function_call", "eos_token", ""] {
        assert_eq!(stop(json!(reason)), StopReason::Finished, "{reason}");
    }
    assert_eq!(stop(json!(null)), StopReason::Finished);
    assert_eq!(stop(json!("length")), StopReason::OutputLimit);
    assert_eq!(stop(json!("content_filter")), StopReason::Filtered);
    assert_eq!(stop(json!("abort")), StopReason::Other("abort".to_owned()));
}

#[test]
fn failures_come_in_the_servers_own_words() {
    let failure = |text: &str| {
        let error = decode(text).unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Provider, "{error}");
        (error.message, error.code.unwrap_or_default(), error.retryable)
    };
    let told = |message: &str, code: &str, retryable| (message.to_owned(), code.to_owned(), retryable);
    assert_eq!(failure(fixture!("error")), told("You exceeded your quota.", "insufficient_quota", false));
    assert_eq!(failure(r#"{"error":"model is loading"}"#), told("model is loading", "", false));
    assert_eq!(
        failure(r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#),
        told("Loading model", "503", true)
    );
    assert_eq!(
        failure(r#"{"object":"error","message":"too long","type":"BadRequestError","code":400}"#),
        told("too long", "400", false)
    );
    assert_eq!(
        failure(r#"{"choices":[{"error":{"code":502,"message":"upstream"},"finish_reason":"error"}]}"#),
        told("upstream", "502", true)
    );
    assert_eq!(failure(r#"{"error":{}}"#), told("the server sent an error without a reason", "", false));
}

#[test]
fn an_answer_that_is_no_completion_says_what_is_wrong() {
    let message = |text: &str| {
        let error = decode(text).unwrap_err();
        assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
        error.message
    };
    assert_eq!(message("<html>"), "the answer is no JSON object");
    assert_eq!(message("{}"), "the answer is no completion object: it has no list `choices`");
    assert_eq!(message(r#"{"choices":[]}"#), "the answer holds no choice: the list `choices` is empty");
    assert_eq!(message(r#"{"choices":[1]}"#), "`choices[0]` is no object");
    assert_eq!(
        message(r#"{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]}}]}"#),
        "`tool_calls[0]` has no `name`"
    );
}

#[test]
fn of_several_choices_the_first_is_read() {
    let answer =
        r#"{"choices":[{"index":1,"message":{"content":"b"}},{"index":0,"message":{"content":"a"}}]}"#;
    assert_eq!(decode(answer).unwrap().text(), "a");
}

#[tokio::test]
async fn a_call_by_its_flat_name_runs_the_tool() {
    let set = catalog();
    let response = decode_response(fixture!("response_calls"), &set).unwrap();
    let calls = response.calls().cloned().collect();
    let cancel = tool_runtime::CancellationToken::new();
    let results = dispatch(&set, calls, &DispatchOptions::new(), &Events::none(), &cancel).await;
    let texts: Vec<String> = results.iter().map(|result| result.model_text()).collect();
    assert_eq!(&texts[..3], [r#"{"path":"a"}"#, r#"{"q":"ada"}"#, "SELECT \"1\""]);
    assert!(texts[3].starts_with("error: no tool is named `no_such`"), "{}", texts[3]);
}
