//! Messages of Anthropic that come in events.

use serde_json::json;
use tests::wire::{add, events};
use tool_runtime::provider::anthropic::{StreamDecoder, decode_response};
use tool_runtime::{ModelError, ModelErrorKind, ModelResponse, StopReason, ToolCall, ToolSet};

use crate::{catalog, fixture};

/// What comes of a stream, and the text that was given on the way.
pub(super) fn streamed<S: AsRef<str>>(
    set: &ToolSet,
    events: &[S],
) -> Result<(ModelResponse, String), ModelError> {
    let mut decoder = StreamDecoder::new(set);
    let mut said = String::new();
    for event in events {
        add(&mut said, decoder.event(event.as_ref())?);
    }
    Ok((decoder.finish()?, said))
}

#[test]
fn a_stream_is_read_as_the_message_that_it_is() {
    let set = catalog();
    let (response, said) = streamed(&set, &events(fixture!("anthropic/stream.sse"))).unwrap();
    let whole = json!({
        "id": "msg_1",
        "content": [
            {"type": "thinking", "thinking": "I have to look.", "signature": "c2ln"},
            {"type": "text", "text": "I look it up.", "citations": [{"type": "char_location", "cited_text": "so"}]},
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {"query": "customer"}},
            {"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content": {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": "crm__delete"}]}},
            {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": "{\"path\":\"a\", \"n\": 12345678901234567890123}"},
            {"type": "tool_use", "id": "toolu_2", "name": "crm__find", "input": {}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 50},
    });
    assert_eq!(response, decode_response(&whole.to_string(), &set).unwrap());
    assert_eq!(said, "I look it up.");
    let calls: Vec<&ToolCall> = response.calls().collect();
    assert_eq!(calls[0].input.as_str(), r#"{"path":"a", "n": 12345678901234567890123}"#);
    assert_eq!(calls[1], &ToolCall::new("toolu_2", "find", "{}").in_namespace("crm"));
}

#[test]
fn d_26_a_stream_that_was_cut_by_the_limit_says_so_and_keeps_the_pieces() {
    let (response, _) = streamed(&catalog(), &events(fixture!("anthropic/stream_cut.sse"))).unwrap();
    assert_eq!(response.stop, StopReason::OutputLimit);
    assert_eq!(response.calls().next().unwrap().input.as_str(), "{\"path\":\"a.txt\",\"content\":\"abc");
}

#[test]
fn a_stream_without_an_end_is_an_error() {
    let set = catalog();
    let events = events(fixture!("anthropic/stream.sse"));
    let error = streamed(&set, &events[..10]).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
    assert_eq!(error.to_string(), "the stream was cut: it ended before the response was complete");
    // The reason is enough, without the last event.
    assert!(streamed(&set, &events[..events.len() - 1]).is_ok());
    let mut decoder = StreamDecoder::new(&set);
    for event in &events {
        assert!(!decoder.is_finished());
        decoder.event(event).unwrap();
    }
    assert!(decoder.is_finished());
}

#[test]
fn a_failure_in_a_stream_is_told() {
    let events = [r#"{"type":"message_start","message":{"id":"m"}}"#, fixture!("anthropic/error.json")];
    let error = streamed(&catalog(), &events).unwrap_err();
    assert_eq!(
        (error.kind, error.to_string()),
        (ModelErrorKind::Provider, "Overloaded (`overloaded_error`)".to_owned())
    );
    for broken in ["[]", "{", "\"x\""] {
        assert_eq!(streamed(&catalog(), &[broken]).unwrap_err().kind, ModelErrorKind::Response);
    }
}

#[test]
fn a_stream_is_bounded() {
    let set = catalog();
    let mut decoder = StreamDecoder::new(&set);
    let piece = "x".repeat(1 << 20);
    let event = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}});
    let event = event.to_string();
    let error = (0..100).find_map(|_| decoder.event(&event).err()).unwrap();
    assert!(error.to_string().starts_with("the streamed response is longer than"), "{error}");
}
