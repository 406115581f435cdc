//! Streams in the Chat format.

use serde_json::{Value, json};
use tests::wire::events;
use tool_runtime::provider::MAX_STREAMED;
use tool_runtime::provider::chat::{FORMAT, Settings, StreamDecoder, encode_messages};
use tool_runtime::{Item, ModelErrorKind, StopReason, ToolCall};

use crate::{catalog, chat, stream};

fn delta(delta: Value) -> String {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}).to_string()
}

fn end(reason: &str) -> String {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}).to_string()
}

/// The calls that come of these chunks, each a list of pieces of calls, written short.
fn calls(chunks: &[Value]) -> Vec<ToolCall> {
    let long = |piece: &Value| {
        let mut long = piece.clone();
        let fields = long.as_object_mut().unwrap();
        let name = fields.shift_remove("name");
        let arguments = fields.shift_remove("args");
        let function = [("name", name), ("arguments", arguments)].into_iter();
        let function = function.filter_map(|(key, value)| Some((key.to_owned(), value?)));
        fields.insert("function".to_owned(), Value::Object(function.collect()));
        long
    };
    let chunk = |pieces: &Value| {
        let pieces: Vec<Value> = pieces.as_array().unwrap().iter().map(long).collect();
        delta(json!({ "tool_calls": pieces }))
    };
    let mut stream: Vec<String> = chunks.iter().map(chunk).collect();
    stream.push(end("tool_calls"));
    chat(&stream).unwrap().0.calls().cloned().collect()
}

fn one_by_one(pieces: &[Value]) -> Vec<ToolCall> {
    calls(&pieces.iter().map(|piece| json!([piece])).collect::<Vec<_>>())
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

#[test]
fn d_13_pieces_without_an_index_belong_to_the_call_opened_last() {
    let expected = [call("c1", "read", r#"{"path":"a"}"#), call("c2", "list", "{}")];
    let pieces = [
        json!({"id": "c1", "name": "read", "args": ""}),
        json!({"args": "{\"path\":"}),
        json!({"args": "\"a\"}"}),
        json!({"id": "c2", "name": "list", "args": "{}"}),
    ];
    assert_eq!(one_by_one(&pieces), expected);
    assert_eq!(calls(&[json!(pieces)]), expected);
}

#[test]
fn d_14_a_new_id_at_a_known_index_opens_a_new_call() {
    let pieces = [
        json!({"index": 0, "id": "c1", "name": "read", "args": "{\"path\":\"a\"}"}),
        json!({"index": 0, "id": "c2", "name": "read", "args": "{\"path\":"}),
        json!({"index": 0, "args": "\"b\"}"}),
    ];
    let expected = [call("c1", "read", r#"{"path":"a"}"#), call("c2", "read", r#"{"path":"b"}"#)];
    assert_eq!(one_by_one(&pieces), expected);
}

#[test]
fn d_15_two_entries_for_one_index_are_taken_one_by_one() {
    let chunks = [
        json!([{"index": 0, "id": "c1", "name": "read", "args": ""}, {"index": 0, "args": "{\"pa"}]),
        json!([{"index": 0, "args": "th\":\"a\"}"}]),
    ];
    assert_eq!(calls(&chunks), [call("c1", "read", r#"{"path":"a"}"#)]);
}

#[test]
fn d_16_a_name_that_comes_with_every_piece_is_set_once() {
    let expected = [call("c1", "search", r#"{"q":"x"}"#)];
    let pieces = [
        json!({"index": 0, "id": "c1", "name": "search", "args": "{\"q\":"}),
        json!({"index": 0, "id": "c1", "name": "search", "args": "\"x\"}"}),
        json!({"index": 0, "id": "", "name": "search", "args": ""}),
        json!({"index": 0, "id": null, "name": null, "args": null}),
    ];
    assert_eq!(one_by_one(&pieces), expected);
    // A place holder before the arguments is mended, or refused, by what reads the arguments.
    let place_holder = [
        json!({"index": 0, "id": "c1", "name": "search", "args": "{}"}),
        json!({"index": 0, "id": "c1", "name": "search", "args": "{\"q\":\"x\"}"}),
    ];
    assert_eq!(one_by_one(&place_holder), [call("c1", "search", r#"{}{"q":"x"}"#)]);
}

#[test]
fn d_12_calls_without_ids_are_told_apart_by_their_names_and_complete_arguments() {
    let whole = |name: &str, args: &str| json!({"index": 0, "id": "", "name": name, "args": args});
    let pieces = [
        whole("read", r#"{"path":"a"}"#),
        whole("read", r#"{"path":"b"}"#),
        // The same item, seen twice.
        whole("read", r#"{"path":"b"}"#),
        whole("list", "{}"),
        whole("list", r#"{"of":"{}"}"#),
    ];
    let expected = [
        call("", "read", r#"{"path":"a"}"#),
        call("", "read", r#"{"path":"b"}"#),
        call("", "list", r#"{}{"of":"{}"}"#),
    ];
    assert_eq!(one_by_one(&pieces), expected);
    // A name in every piece of one call, with nested objects at the borders.
    let nested = [
        whole("read", r#"{"a":{}"#),
        whole("read", r#","b":["#),
        whole("read", r#"{}"#),
        whole("read", r#"]}"#),
    ];
    assert_eq!(one_by_one(&nested), [call("", "read", r#"{"a":{},"b":[{}]}"#)]);
}

#[test]
fn another_name_opens_another_call_also_where_nothing_else_tells() {
    let pieces =
        [json!({"index": 0, "name": "read", "args": ""}), json!({"index": 0, "name": "list", "args": ""})];
    assert_eq!(one_by_one(&pieces), [call("", "read", ""), call("", "list", "")]);
}

#[test]
fn an_index_that_counts_the_pieces_is_none() {
    let pieces = [
        json!({"index": 0, "id": "c1", "name": "read", "args": "{\"path\":"}),
        json!({"index": 1, "id": "c1", "args": "\"a\"}"}),
    ];
    assert_eq!(one_by_one(&pieces), [call("c1", "read", r#"{"path":"a"}"#)]);
}

#[test]
fn an_id_may_come_later_and_pieces_of_calls_may_alternate() {
    let pieces = [
        json!({"index": 1, "name": "list", "args": "{"}),
        json!({"index": 0, "id": "c0", "name": "read", "args": "{\"path\":"}),
        json!({"index": 1, "id": "c1", "args": "}"}),
        json!({"index": 0, "args": {"n": 1}}),
        json!({"index": 0, "args": "}"}),
    ];
    assert_eq!(
        one_by_one(&pieces),
        [call("c1", "list", "{}"), call("c0", "read", r#"{"path":{"n": 1}}"#.replace(' ', "").as_str())]
    );
}

#[test]
fn a_piece_that_nothing_tells_a_name_of_is_refused() {
    let stream = [delta(json!({"tool_calls": [{"index": 3, "function": {"arguments": "{}"}}]})), end("stop")];
    let error = chat(&stream).unwrap_err();
    assert_eq!((error.message.as_str(), error.retryable), ("`tool_calls[0]` has no `name`", true));
}

#[test]
fn arguments_that_come_as_an_object_keep_every_digit() {
    let event = r#"{"choices":[{"delta":{"tool_calls":[{"function":{"name":"read","arguments":{"n":12345678901234567890123,"x":1.0}}}]},"finish_reason":"stop"}]}"#;
    let (response, _) = chat(&[event]).unwrap();
    assert_eq!(
        response.calls().collect::<Vec<_>>(),
        [&call("", "read", r#"{"n":12345678901234567890123,"x":1.0}"#)]
    );
}

#[test]
fn a_stream_of_the_provider_itself() {
    let (response, said) = chat(&events(stream!("chat"))).unwrap();
    assert_eq!((response.text(), said), ("I look.".to_owned(), "I look.".to_owned()));
    assert_eq!(response.id.as_deref(), Some("chatcmpl-1"));
    assert_eq!(
        response.calls().cloned().collect::<Vec<_>>(),
        [
            call("call_1", "read", r#"{"path":"a"}"#),
            call("call_2", "find", r#"{"q":"ada"}"#).in_namespace("crm"),
            ToolCall::with_text("call_3", "sql", "SELECT 1").in_namespace("crm"),
        ]
    );
    // The usage comes behind the end, in a chunk without choices.
    assert_eq!((response.usage.input_tokens, response.usage.output_tokens), (20, 9));
}

#[test]
fn a_stream_of_llama_cpp() {
    let (response, said) = chat(&events(stream!("chat_llama_cpp"))).unwrap();
    assert_eq!((said.as_str(), response.stop), ("", StopReason::Finished));
    let Item::Opaque(native) = &response.items[0] else { panic!("{:?}", response.items) };
    assert_eq!(native.of_format(FORMAT), Some(&json!({"reasoning_content": "Look first."})));
    let Item::Call(item) = &response.items[1] else { panic!("{:?}", response.items) };
    assert_eq!(*item.call, call("Tk3", "read", r#"{"path":"a"}"#));
    assert_eq!(response.usage.output_tokens, 31);
}

#[test]
fn a_stream_of_vllm() {
    let (response, said) = chat(&events(stream!("chat_vllm"))).unwrap();
    assert_eq!((said.as_str(), &response.stop), ("Ok.", &StopReason::Finished));
    let calls: Vec<_> = response.calls().cloned().collect();
    let id = "chatcmpl-tool-0123456789abcdef0123456789abcdef";
    assert_eq!(calls, [call(id, "read", r#"{"path": "a"}"#)]);
    // Its ids are longer than what other servers take; here and in the result they are replaced.
    let messages = encode_messages(&Settings::compatible("m"), &catalog(), None, &response.items);
    assert_eq!(messages[0]["tool_calls"][0]["id"], messages[1]["tool_call_id"]);
    assert_eq!(messages[0]["reasoning"], "Hm.");
}

#[test]
fn a_stream_of_ollama() {
    let (response, _) = chat(&events(stream!("chat_ollama"))).unwrap();
    assert_eq!(
        response.calls().cloned().collect::<Vec<_>>(),
        [call("call_a", "list", "{}"), call("call_b", "list", r#"{"of":"b"}"#)]
    );
}

#[test]
fn details_of_reasoning_are_joined_as_they_were_cut() {
    let detail = |detail: Value| delta(json!({ "reasoning_details": [detail] }));
    let stream = [
        detail(json!({"type": "reasoning.text", "index": 0, "text": "Look", "format": "x"})),
        detail(json!({"type": "reasoning.text", "index": 0, "text": " first.", "signature": null})),
        detail(json!({"type": "reasoning.text", "index": 0, "signature": "c2ln"})),
        detail(json!({"type": "reasoning.encrypted", "index": 1, "data": "AA"})),
        end("stop"),
    ];
    let (response, _) = chat(&stream).unwrap();
    let Item::Opaque(native) = &response.items[0] else { panic!("{:?}", response.items) };
    assert_eq!(
        native.value,
        json!({"reasoning_details": [
            {"type": "reasoning.text", "index": 0, "text": "Look first.", "format": "x", "signature": "c2ln"},
            {"type": "reasoning.encrypted", "index": 1, "data": "AA"}
        ]})
    );
}

#[test]
fn what_was_written_beside_a_call_is_kept() {
    let piece = json!({"index": 0, "id": "c", "type": "function", "function": {"name": "list", "arguments": ""},
        "extra_content": {"vendor": {"signature": "c2ln"}}});
    let (response, _) = chat(&[delta(json!({ "tool_calls": [piece] })), end("tool_calls")]).unwrap();
    let Item::Call(call) = &response.items[0] else { panic!("{:?}", response.items) };
    assert_eq!(
        call.native.as_ref().unwrap().value,
        json!({"extra_content": {"vendor": {"signature": "c2ln"}}})
    );
}

#[test]
fn the_old_form_streams_one_call() {
    let stream = [
        delta(json!({"function_call": {"name": "read", "arguments": ""}})),
        delta(json!({"function_call": {"arguments": "{\"path\":"}})),
        delta(json!({"function_call": {"arguments": "\"a\"}"}})),
        end("function_call"),
    ];
    let (response, _) = chat(&stream).unwrap();
    assert_eq!(response.calls().collect::<Vec<_>>(), [&call("", "read", r#"{"path":"a"}"#)]);
}

#[test]
fn a_refusal_is_text_for_the_user() {
    let stream = [delta(json!({"refusal": "I "})), delta(json!({"refusal": "will not."})), end("stop")];
    let (response, said) = chat(&stream).unwrap();
    assert_eq!((response.text().as_str(), said.as_str()), ("I will not.", "I will not."));
}

#[test]
fn d_26_a_cut_that_was_told_stays_told() {
    let call = delta(json!({"tool_calls": [{"id": "c1", "function": {"name": "list", "arguments": "{}"}}]}));
    let (response, _) = chat(&[call.clone(), end("length"), end("tool_calls")]).unwrap();
    assert_eq!(response.stop, StopReason::OutputLimit);
    let (response, _) = chat(&[call, end("stop"), end("content_filter")]).unwrap();
    assert_eq!(response.stop, StopReason::Filtered);
}

#[test]
fn a_stream_that_ends_without_an_end_was_cut() {
    let said = delta(json!({"content": "Hello"}));
    let error = chat(&[&said]).unwrap_err();
    assert_eq!(error.message, "the stream was cut: it ended before the response was complete");
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
    // Some servers leave out the reason, some the last event.
    for last in [end("stop"), "[DONE]".to_owned()] {
        assert_eq!(chat(&[said.clone(), last]).unwrap().0.stop, StopReason::Finished);
    }
}

#[test]
fn nothing_counts_behind_the_end() {
    let set = catalog();
    let mut decoder = StreamDecoder::new(&set);
    for event in [&delta(json!({"content": "a"})), &end("stop"), "[DONE]"] {
        assert!(!decoder.is_finished());
        decoder.event(event).unwrap();
    }
    assert!(decoder.is_finished());
    assert_eq!(decoder.event(r#"{"error":"late"}"#), Ok(None));
    assert_eq!(decoder.finish().unwrap().text(), "a");
}

#[test]
fn other_choices_are_other_answers() {
    let stream = [
        json!({"choices": [{"index": 1, "delta": {"content": "b"}}, {"index": 0, "delta": {"content": "a"}}]}).to_string(),
        json!({"choices": [{"index": 1, "delta": {}, "finish_reason": "length"}]}).to_string(),
        end("stop"),
    ];
    let (response, said) = chat(&stream).unwrap();
    assert_eq!((response.text().as_str(), said.as_str(), response.stop), ("a", "a", StopReason::Finished));
}

#[test]
fn a_message_that_comes_whole_counts_once() {
    let whole = json!({"choices": [{"index": 0, "message": {"content": "Hello"}, "finish_reason": "stop"}]})
        .to_string();
    assert_eq!(chat(&[&whole]).unwrap().1, "Hello");
    assert_eq!(chat(&[&delta(json!({"content": "Hello"})), &whole]).unwrap().1, "Hello");
}

#[test]
fn a_failure_in_the_stream_is_the_servers_own() {
    let said = delta(json!({"content": "Hel"}));
    let failure = r#"{"error":{"message":"Upstream is gone.","code":502}}"#;
    let error = chat(&[said.as_str(), failure]).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, true));
    assert_eq!(error.to_string(), "Upstream is gone. (`502`)");
    let in_choice =
        r#"{"choices":[{"delta":{},"finish_reason":"error","error":{"message":"Bad.","code":"x"}}]}"#;
    assert_eq!(chat(&[in_choice]).unwrap_err().to_string(), "Bad. (`x`)");
}

#[test]
fn data_that_is_no_chunk_is_refused() {
    for data in ["[1]", "Hello", r#"{"choices":"#, r#"{"choices":5}"#] {
        let error = chat(&[data]).unwrap_err();
        assert!(error.message.starts_with("an event of the stream "), "{error}");
        assert!(error.retryable);
    }
}

#[test]
fn a_stream_without_end_is_refused_at_a_limit() {
    let set = catalog();
    let mut decoder = StreamDecoder::new(&set);
    let piece = delta(json!({"content": "x".repeat(MAX_STREAMED / 4)}));
    let error = (0..5).find_map(|_| decoder.event(&piece).err()).unwrap();
    assert_eq!(error.message, format!("the streamed response is longer than {MAX_STREAMED} bytes"));
}
