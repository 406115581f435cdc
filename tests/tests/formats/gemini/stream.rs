//! Responses of Gemini that come in chunks.

use serde_json::json;
use tests::wire::{add, events};
use tool_runtime::provider::gemini::{StreamDecoder, decode_response};
use tool_runtime::{ModelError, ModelErrorKind, ModelResponse, ToolSet};

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
fn a_stream_is_read_as_the_response_that_it_is() {
    let set = catalog();
    let (response, said) = streamed(&set, &events(fixture!("gemini/stream.sse"))).unwrap();
    let whole = r#"{"responseId": "resp_1",
        "candidates": [{"finishReason": "STOP", "content": {"parts": [
            {"text": "I have to look.", "thought": true},
            {"text": "I look it up."},
            {"functionCall": {"id": "c1", "name": "read_file", "args": {"path":"a", "n": 12345678901234567890123}}, "thoughtSignature": "c2ln"},
            {"functionCall": {"name": "crm__find"}},
            {"text": "", "thoughtSignature": "ZW5k"}]}}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 30, "thoughtsTokenCount": 20}}"#;
    assert_eq!(response, decode_response(whole, &set).unwrap());
    assert_eq!(said, "I look it up.");
}

#[test]
fn a_stream_without_an_end_is_an_error() {
    let set = catalog();
    let events = events(fixture!("gemini/stream.sse"));
    let error = streamed(&set, &events[..4]).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
    assert_eq!(error.to_string(), "the stream was cut: it ended before the response was complete");
}

#[test]
fn a_failure_in_a_stream_is_told() {
    let events = [r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#, fixture!("gemini/error.json")];
    let error = streamed(&catalog(), &events).unwrap_err();
    assert_eq!((error.kind, error.code.as_deref()), (ModelErrorKind::Provider, Some("RESOURCE_EXHAUSTED")));
    for broken in ["[]", "{", "\"x\""] {
        assert_eq!(streamed(&catalog(), &[broken]).unwrap_err().kind, ModelErrorKind::Response);
    }
}

#[test]
fn a_stream_is_bounded() {
    let set = catalog();
    let mut decoder = StreamDecoder::new(&set);
    let piece = "x".repeat(1 << 20);
    let event = json!({"candidates": [{"content": {"parts": [{"text": piece}]}}]}).to_string();
    let error = (0..100).find_map(|_| decoder.event(&event).err()).unwrap();
    assert!(error.to_string().starts_with("the streamed response is longer than"), "{error}");
}
