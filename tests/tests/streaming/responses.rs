//! Streams in the Responses format.

use serde_json::{Value, json};
use tests::wire::events;
use tool_runtime::provider::MAX_STREAMED;
use tool_runtime::provider::responses::encode_input;
use tool_runtime::provider::responses::{StreamDecoder, decode_response};
use tool_runtime::{Caller, Delta, Item, ModelErrorKind, StopReason, ToolCall, ToolName};

use crate::{responses, stream};

fn added(index: u64, item: Value) -> String {
    json!({"type": "response.output_item.added", "output_index": index, "item": item}).to_string()
}

fn done(index: u64, item: Value) -> String {
    json!({"type": "response.output_item.done", "output_index": index, "item": item}).to_string()
}

fn arguments(index: u64, delta: &str) -> String {
    json!({"type": "response.function_call_arguments.delta", "output_index": index, "delta": delta})
        .to_string()
}

fn completed() -> String {
    json!({"type": "response.completed", "response": {"status": "completed", "output": []}}).to_string()
}

fn read(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "read", "arguments": arguments,
        "status": "in_progress"})
}

fn calls<S: AsRef<str>>(stream: &[S]) -> Vec<ToolCall> {
    responses(stream).unwrap().0.calls().cloned().collect()
}

#[test]
fn a_stream_gives_what_the_response_object_gives() {
    let events = events(stream!("responses"));
    let (response, said) = responses(&events).unwrap();
    let last: Value = serde_json::from_str(events.last().unwrap()).unwrap();
    assert_eq!(response, decode_response(&last["response"].to_string()).unwrap());
    assert_eq!((response.text(), said), ("I look.".to_owned(), "I look.".to_owned()));
    let expected = ToolCall::new("call_1", "find", r#"{"q":"ada"}"#).in_namespace("crm");
    assert_eq!(response.calls().collect::<Vec<_>>(), [&expected]);
    assert_eq!((response.anchor(), response.usage.reasoning_tokens), (Some("resp_1"), 4));
}

#[test]
fn trap_1_items_are_told_apart_by_their_index_whatever_ids_the_events_have() {
    let (response, _) = responses(&events(stream!("responses_rotating_ids"))).unwrap();
    let calls: Vec<_> = response.calls().cloned().collect();
    let expected =
        [ToolCall::new("call_1", "read", r#"{"path":"a"}"#), ToolCall::new("call_2", "list", "{}")];
    assert_eq!(calls, expected);
    assert_eq!(response.id.as_deref(), Some("resp_b"));
}

#[test]
fn trap_2_of_a_search_by_us_only_the_last_copy_counts() {
    let search = |id: &str, arguments: Value| json!({"type": "tool_search_call", "id": "tsc_1", "call_id": id, "execution": "client", "arguments": arguments});
    let stream = [
        added(0, search("early", json!({}))),
        done(0, search("call_7", json!({"query": "customer"}))),
        completed(),
    ];
    let (response, _) = responses(&stream).unwrap();
    let call = ToolCall::new("call_7", "tool_search", r#"{"query":"customer"}"#);
    assert_eq!((response.calls().collect::<Vec<_>>(), response.items.len()), (vec![&call], 1));
    assert_eq!(encode_input(&response.items), [search("call_7", json!({"query": "customer"}))]);
}

#[test]
fn trap_3_a_call_by_a_program_stays_in_progress_and_is_to_be_run() {
    let events = events(stream!("responses_program"));
    let without_last_output = {
        let mut events = events.clone();
        *events.last_mut().unwrap() = completed();
        events
    };
    for events in [events, without_last_output] {
        let (response, _) = responses(&events).unwrap();
        assert_eq!(response.stop, StopReason::Finished);
        let call = response.calls().next().unwrap();
        assert_eq!(call.caller, Caller::Program { caller_id: "call_p".to_owned() });
        let Item::Opaque(program) = &response.items[0] else { panic!("{:?}", response.items) };
        assert_eq!(program.value["fingerprint"], "final");
    }
}

#[test]
fn trap_4_where_the_last_event_has_no_items_the_streamed_ones_count() {
    for output in [json!([]), json!(null), json!("odd")] {
        let end =
            json!({"type": "response.completed", "response": {"status": "completed", "output": output}});
        let stream = [added(0, read("c", "")), done(0, read("c", r#"{"path":"a"}"#)), end.to_string()];
        // The last copy of the call says that it is not finished, and it is the model's own.
        let (response, _) = responses(&stream).unwrap();
        assert_eq!(response.stop, StopReason::Other("unfinished call".to_owned()));
        assert_eq!(response.calls().next().unwrap().input.as_str(), r#"{"path":"a"}"#);
    }
    let no_response = json!({"type": "response.completed"}).to_string();
    assert_eq!(calls(&[added(0, read("c", "")), arguments(0, "{}"), no_response]).len(), 1);
}

#[test]
fn trap_4_where_the_last_event_has_items_they_win() {
    let end =
        json!({"type": "response.completed", "response": {"output": [read("final", "{}")]}}).to_string();
    assert_eq!(calls(&[done(0, read("streamed", "{}")), end]), [ToolCall::new("final", "read", "{}")]);
}

#[test]
fn trap_5_calls_whose_last_copy_is_missing_are_made_of_their_pieces() {
    let custom = json!({"type": "custom_tool_call", "id": "ct_1", "call_id": "call_2", "name": "sql", "namespace": "crm",
        "input": "", "status": "in_progress"});
    let text = |delta: &str| {
        json!({"type": "response.custom_tool_call_input.delta", "output_index": 1, "delta": delta})
            .to_string()
    };
    let stream = [
        added(0, read("call_1", "")),
        arguments(0, "{\"path\":"),
        added(1, custom),
        text("SELECT"),
        arguments(0, "\"a\"}"),
        text(" 1"),
        completed(),
    ];
    let (response, _) = responses(&stream).unwrap();
    assert_eq!(response.stop, StopReason::Finished);
    assert_eq!(
        response.calls().cloned().collect::<Vec<_>>(),
        [
            ToolCall::new("call_1", "read", r#"{"path":"a"}"#),
            ToolCall::with_text("call_2", "sql", "SELECT 1").in_namespace("crm"),
        ]
    );
}

#[test]
fn trap_5_what_is_known_only_from_its_last_copy_is_left_out_without_it() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "early"});
    let (response, _) = responses(&[added(0, reasoning), done(1, read("c", "{}")), completed()]).unwrap();
    assert_eq!(response.items.len(), 1);
}

#[test]
fn a_last_copy_without_arguments_takes_those_of_the_pieces() {
    for blank in [json!(""), json!(null)] {
        let mut item = read("c", "");
        item["arguments"] = blank;
        item["status"] = "incomplete".into();
        let (response, _) =
            responses(&[added(0, item.clone()), arguments(0, "{\"a\":1}"), done(0, item), completed()])
                .unwrap();
        assert_eq!(response.calls().next().unwrap().input.as_str(), "{\"a\":1}");
        // What it says of its status stays said.
        assert!(response.stop.is_cut());
    }
}

#[test]
fn the_end_of_the_arguments_corrects_their_pieces_and_may_bring_the_name() {
    let nameless = json!({"type": "function_call", "call_id": "c", "arguments": ""});
    let all = json!({"type": "response.function_call_arguments.done", "output_index": 0, "name": "read",
        "arguments": "{\"path\":\"a\"}"});
    let stream = [added(0, nameless), arguments(0, "{\"pa"), all.to_string(), completed()];
    assert_eq!(calls(&stream), [ToolCall::new("c", "read", r#"{"path":"a"}"#)]);
}

#[test]
fn trap_6_padding_is_no_text() {
    let delta = json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Hi",
        "obfuscation": "zzzzzz"});
    let mut decoder = StreamDecoder::new();
    assert_eq!(decoder.event(&delta.to_string()), Ok(Some(Delta::Text("Hi".to_owned()))));
    decoder.event(&completed()).unwrap();
    assert_eq!(decoder.finish().unwrap().text(), "Hi");
}

#[test]
fn trap_7_an_error_event_is_read_flat_and_nested() {
    let nested = responses(&events(stream!("responses_error"))).unwrap_err();
    assert_eq!(nested.to_string(), "The quota is used up. (`insufficient_quota`)");
    assert_eq!((nested.kind, nested.retryable), (ModelErrorKind::Provider, false));
    let flat =
        r#"{"type":"error","code":"server_error","message":"Try again.","param":null,"sequence_number":1}"#;
    let flat = responses(&[flat]).unwrap_err();
    assert_eq!((flat.to_string().as_str(), flat.retryable), ("Try again. (`server_error`)", true));
    let bare = responses(&[r#"{"error":{"message":"no such model"}}"#]).unwrap_err();
    assert_eq!(bare.to_string(), "no such model");
    let empty = responses(&[r#"{"type":"error"}"#]).unwrap_err();
    assert_eq!(empty.to_string(), "the provider sent an error without a reason");
}

#[test]
fn trap_7_a_failure_behind_an_error_says_the_same() {
    let events = events(stream!("responses_error"));
    let mut decoder = StreamDecoder::new();
    let results: Vec<_> = events.iter().map(|event| decoder.event(event)).collect();
    assert_eq!(results[1], results[2]);
    assert!(results[2].is_err());
    let unexplained = r#"{"type":"response.failed","response":{"status":"failed","error":null}}"#;
    assert_eq!(
        responses(&[unexplained]).unwrap_err().to_string(),
        "the provider gave no reason (status `failed`)"
    );
}

#[test]
fn a_stream_that_ends_without_an_end_was_cut() {
    let events = events(stream!("responses"));
    for length in 0..events.len() {
        let error = responses(&events[..length]).unwrap_err();
        assert_eq!(error.message, "the stream was cut: it ended before the response was complete");
        assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
    }
    // `[DONE]` is no end here: what came before it may be half of the response.
    assert!(responses(&["[DONE]"]).is_err());
}

#[test]
fn d_26_a_response_that_the_limit_cut_says_so() {
    let end = json!({"type": "response.incomplete", "response": {"status": "incomplete", "output": [],
        "incomplete_details": {"reason": "max_output_tokens"}}});
    let (response, _) =
        responses(&[added(0, read("c", "")), arguments(0, r#"{"path":"a"}"#), end.to_string()]).unwrap();
    assert_eq!((response.stop, response.items.len()), (StopReason::OutputLimit, 1));
    let bare = json!({"type": "response.incomplete"}).to_string();
    assert!(responses(&[bare]).unwrap().0.stop.is_cut());
}

#[test]
fn one_index_for_all_items_is_seen_through() {
    let message = json!({"type": "message", "id": "msg_1", "role": "assistant", "content": []});
    let text = json!({"type": "response.output_text.delta", "output_index": 0, "delta": "Hi"}).to_string();
    let done_call = |id: &str| {
        let mut call = read(id, "{}");
        call["status"] = "completed".into();
        done(0, call)
    };
    let stream = [
        added(0, message),
        text,
        added(0, read("a", "")),
        arguments(0, "{}"),
        done_call("a"),
        added(0, read("b", "")),
        done_call("b"),
        // The same item, seen twice.
        done_call("b"),
        completed(),
    ];
    let (response, said) = responses(&stream).unwrap();
    assert_eq!(
        (response.text().as_str(), said.as_str(), response.stop.clone()),
        ("Hi", "Hi", StopReason::Finished)
    );
    assert_eq!(
        response.calls().cloned().collect::<Vec<_>>(),
        [ToolCall::new("a", "read", "{}"), ToolCall::new("b", "read", "{}")]
    );
}

#[test]
fn last_copies_alone_at_one_index_are_items_of_their_own() {
    let stream = [done(0, read("a", "{}")), done(0, read("b", "{}")), done(0, read("b", "{ }")), completed()];
    let ids: Vec<String> = calls(&stream).into_iter().map(|call| call.id + call.input.as_str()).collect();
    assert_eq!(ids, ["a{}", "b{ }"]);
}

#[test]
fn items_stand_in_the_order_of_their_indexes() {
    let ids = |stream: &[String]| calls(stream).into_iter().map(|call| call.id).collect::<Vec<_>>();
    assert_eq!(ids(&[done(1, read("b", "{}")), done(0, read("a", "{}")), completed()]), ["a", "b"]);
}

#[test]
fn the_id_of_the_response_may_come_at_the_beginning_only() {
    let created = json!({"type": "response.created", "response": {"id": "resp_1", "status": "in_progress"}});
    let (response, _) = responses(&[created.to_string(), completed()]).unwrap();
    assert_eq!(response.id.as_deref(), Some("resp_1"));
}

#[test]
fn the_event_says_that_the_response_is_complete_whatever_its_copy_says() {
    let end = json!({"type": "response.completed", "response": {"status": "in_progress", "output": []}});
    assert_eq!(responses(&[end.to_string()]).unwrap().0.stop, StopReason::Finished);
}

#[test]
fn events_without_an_index_go_by_the_id_of_the_item_or_to_the_last() {
    let event = |kind: &str, fields: Value| {
        let mut event = json!({"type": kind});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        event.to_string()
    };
    let stream = [
        event("response.output_item.added", json!({"item": read("a", "")})),
        event("response.output_item.added", json!({"item": read("b", "")})),
        event("response.function_call_arguments.delta", json!({"item_id": "fc_a", "delta": "{\"n\":1}"})),
        event("response.function_call_arguments.delta", json!({"delta": "{}"})),
        completed(),
    ];
    assert_eq!(calls(&stream), [ToolCall::new("a", "read", "{\"n\":1}"), ToolCall::new("b", "read", "{}")]);
}

#[test]
fn parts_of_a_message_are_put_in_their_order() {
    let part = |index: u64, kind: &str, text: &str| {
        json!({"type": format!("response.{kind}.delta"), "output_index": 0, "content_index": index, "delta": text})
            .to_string()
    };
    let whole = |text: &str| {
        json!({"type": "response.output_text.done", "output_index": 0, "content_index": 2, "text": text})
            .to_string()
    };
    let stream = [
        part(1, "refusal", "I won't. "),
        part(0, "output_text", "No, "),
        whole("Sorry."),
        whole("Sorry."),
        completed(),
    ];
    let (response, said) = responses(&stream).unwrap();
    // A text that comes only whole is news once.
    assert_eq!((response.text().as_str(), said.as_str()), ("No, I won't. Sorry.", "I won't. No, Sorry."));
}

#[test]
fn a_search_by_the_provider_loads_its_tools() {
    let output = json!({"type": "tool_search_output", "execution": "server", "tools": [{"type": "function", "name": "read"}]});
    let (response, _) = responses(&[done(0, output), completed()]).unwrap();
    assert_eq!(response.loaded().collect::<Vec<_>>(), [&ToolName::bare("read")]);
}

#[test]
fn nothing_counts_behind_the_end() {
    let mut decoder = StreamDecoder::new();
    decoder.event(&done(0, read("c", "{}"))).unwrap();
    assert!(!decoder.is_finished());
    decoder.event(&completed()).unwrap();
    assert!(decoder.is_finished());
    for late in [r#"{"type":"error"}"#, "no JSON", "[DONE]", &done(1, read("d", "{}"))] {
        assert_eq!(decoder.event(late), Ok(None));
    }
    assert_eq!(decoder.finish().unwrap().calls().count(), 1);
}

#[test]
fn unknown_events_change_nothing_and_data_that_is_none_is_refused() {
    let unknown =
        [r#"{"type":"response.new_thing","output_index":0,"delta":{}}"#, r#"{"type":7}"#, "{}", " "];
    let mut stream: Vec<String> = unknown.map(str::to_owned).to_vec();
    stream.push(completed());
    assert_eq!(responses(&stream).unwrap().0.items, []);
    for data in ["[1]", "Hello", r#"{"type":"#] {
        let error = responses(&[data]).unwrap_err();
        assert!(error.retryable && error.message.starts_with("an event of the stream "), "{error}");
    }
}

#[test]
fn a_stream_without_end_is_refused_at_a_limit() {
    let mut decoder = StreamDecoder::new();
    let piece = arguments(0, &"x".repeat(MAX_STREAMED / 4));
    let error = (0..5).find_map(|_| decoder.event(&piece).err()).unwrap();
    assert_eq!(error.message, format!("the streamed response is longer than {MAX_STREAMED} bytes"));
}
