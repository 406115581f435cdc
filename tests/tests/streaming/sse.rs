//! Bytes to events.

use tool_runtime::provider::sse::{Limits, Parser, SseEvent};
use tool_runtime::{ModelError, ModelErrorKind};

fn parse(portions: &[&[u8]]) -> Result<Vec<SseEvent>, ModelError> {
    let mut parser = Parser::new();
    let mut events = Vec::new();
    for portion in portions {
        events.extend(parser.push(portion)?);
    }
    events.extend(parser.finish()?);
    Ok(events)
}

fn data(portions: &[&[u8]]) -> Vec<String> {
    parse(portions).unwrap().into_iter().map(|event| event.data).collect()
}

#[test]
fn lines_end_in_every_way() {
    for end in ["\n", "\r\n", "\r"] {
        let stream = format!("data: a{end}data: b{end}{end}data: c{end}{end}");
        assert_eq!(data(&[stream.as_bytes()]), ["a\nb", "c"], "{end:?}");
    }
    // A `\r\n` that is cut in two ends one line, not two.
    assert_eq!(data(&[b"data: a\r", b"\ndata: b\r", b"\n\r", b"\n"]), ["a\nb"]);
    assert_eq!(data(&[b"data: a\r", b"", b"\rdata: b\r\r"]), ["a", "b"]);
}

#[test]
fn bytes_may_come_one_by_one() {
    let stream = "\u{feff}event: x\ndata: {\"é\":\r\ndata:\"…\"}\r\n\r\ndata: [DONE]\n\n".as_bytes();
    let bytes: Vec<&[u8]> = stream.chunks(1).collect();
    let events = parse(&bytes).unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!((events[0].name.as_deref(), &*events[0].data), (Some("x"), "{\"é\":\n\"…\"}"));
    assert!(events[1].is_done() && !events[0].is_done());
}

#[test]
fn what_is_no_data_is_skipped() {
    let stream =
        b": ping\n\nid: 1\nretry: 5\nunknown: x\nnothing\n\ndata\n\ndata:a\ndata:  b\nevent:\n\n:\n\n";
    assert_eq!(data(&[stream]), ["", "a\n b"]);
    assert_eq!(parse(&[b"event: x\n\ndata: a\n\n"]).unwrap(), [SseEvent::data("a")]);
}

#[test]
fn a_byte_order_mark_counts_at_the_beginning_only() {
    assert_eq!(data(&["\u{feff}data: a\n\n\u{feff}data: b\n\n".as_bytes()]), ["a"]);
}

#[test]
fn a_stream_that_ends_early_gives_what_is_whole() {
    assert_eq!(data(&[b"data: {}\n"]), ["{}"]);
    assert_eq!(data(&[b"data: {}\n\ndata: [DONE]"]), ["{}", "[DONE]"]);
    assert_eq!(data(&[b"data: {}\n\ndata: {\"a\":"]), ["{}"]);
}

fn refused(parser: &mut Parser, bytes: &[u8]) -> String {
    let error = parser.push(bytes).unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Response, true));
    error.message
}

#[test]
fn text_that_is_no_utf8_is_refused_with_its_place() {
    let bytes = b"data: a\n\ndata: \xff\n\n";
    assert_eq!(refused(&mut Parser::new(), bytes), "line 3 of the event stream is no UTF-8 behind byte 6");
    let mut parser = Parser::new();
    parser.push(b"data: [DONE]\xc3").unwrap();
    assert!(parser.finish().is_err());
}

fn limits(line: usize, event: usize) -> Parser {
    let mut limits = Limits::default();
    (limits.line, limits.event) = (line, event);
    Parser::with_limits(limits)
}

#[test]
fn a_line_beyond_the_limit_is_refused_before_it_ends() {
    let mut parser = limits(10, 100);
    assert_eq!(parser.push(b"data: 1234\n\n").unwrap(), [SseEvent::data("1234")]);
    parser.push(b"data:").unwrap();
    assert_eq!(refused(&mut parser, b"123456"), "line 3 of the event stream is longer than 10 bytes");
}

#[test]
fn an_event_beyond_the_limit_is_refused_before_it_ends() {
    let mut parser = limits(100, 9);
    assert_eq!(parser.push(b"data: 1234\ndata: 1234\n\n").unwrap(), [SseEvent::data("1234\n1234")]);
    parser.push(b"data: 1234\n").unwrap();
    assert_eq!(refused(&mut parser, b"data: 12345\n"), "an event of the stream is longer than 9 bytes");
    // Lines without text count too.
    let mut parser = limits(100, 9);
    assert!(parser.push("data\n".repeat(11).as_bytes()).is_err());
}

#[test]
fn a_line_of_64_kib_is_read() {
    let text = "x".repeat(64 * 1024);
    assert_eq!(data(&[b"data: ", text.as_bytes(), b"\n\n"]), [text]);
}
