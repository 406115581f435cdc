//! Streams that are well-formed but odd, and streams that are not.

use tests::loopback::{Answer, Server, Step, chunk, chunked_head, events, events_head, json, whole};
use tool_runtime::ModelErrorKind;

use super::{ask, ask_watched, client, end_event, error_of, saying, streaming, text_event};

fn send(text: impl Into<Vec<u8>>) -> Step {
    Step::Send(text.into())
}

/// What comes of a stream that ends with the connection.
async fn streamed(steps: impl IntoIterator<Item = Step>) -> (String, Vec<String>) {
    let answer: Answer = std::iter::once(events_head()).chain(steps).chain([Step::Close]).collect();
    let server = Server::answering([answer]).await;
    let (answer, shown) = ask_watched(streaming(&server)).await;
    let text = answer.map_or_else(|error| format!("{:?}: {error}", error.kind), |response| response.text());
    (text, shown)
}

#[tokio::test]
async fn text_is_shown_as_it_comes() {
    let steps = [send(text_event("a ")), send(text_event("b")), send(end_event("a b"))];
    assert_eq!(streamed(steps).await, ("a b".into(), vec!["a ".into(), "b".into()]));
}

#[tokio::test]
async fn text_that_comes_in_one_piece_is_shown_too() {
    assert_eq!(streamed([send(end_event("a b"))]).await, ("a b".into(), vec!["a b".into()]));
    let server = Server::answering([json(saying("a b").to_string())]).await;
    assert_eq!(ask_watched(client(&server)).await.1, ["a b"]);
}

#[tokio::test]
async fn borders_between_bytes_change_nothing() {
    let text = "grüße 日本";
    let stream = format!(": hello\r\n{}{}", text_event(text), end_event(text));
    for stream in [stream.replace("\r\n", "\n"), stream.replace("\r\n", "\n").replace('\n', "\r\n")] {
        let expected = (text.to_owned(), vec![text.to_owned()]);
        assert_eq!(streamed([Step::Drip(stream.clone().into_bytes())]).await, expected);
        assert_eq!(streamed([send(stream)]).await, expected);
    }
}

#[tokio::test]
async fn data_of_several_lines_is_one_event() {
    let pretty = serde_json::to_string_pretty(&serde_json::json!({
        "type": "response.completed", "response": saying("done")
    }));
    let lines: String = pretty.unwrap().lines().map(|line| format!("data: {line}\r\n")).collect();
    assert_eq!(streamed([send(format!("{lines}\r\n"))]).await.0, "done");
}

#[tokio::test]
async fn lines_of_64_kib_are_no_trouble() {
    let text = "x".repeat(64 * 1024);
    let steps = [send(text_event(&text)), send(end_event(&text))];
    assert_eq!(streamed(steps).await, (text.clone(), vec![text]));
}

#[tokio::test]
async fn the_end_of_the_body_may_stand_for_the_last_empty_line() {
    assert_eq!(streamed([send(end_event("done").trim_end().to_owned() + "\n")]).await.0, "done");
}

#[tokio::test]
async fn a_cut_in_an_event_is_no_answer() {
    let whole = text_event("half a") + &end_event("half a sentence");
    for cut in [whole.len() - 2, whole.len() - 40, text_event("half a").len() + 10] {
        let (answer, shown) = streamed([send(&whole.as_bytes()[..cut])]).await;
        assert_eq!(answer, "Response: the stream was cut: it ended before the response was complete");
        assert_eq!(shown, ["half a"]);
    }
}

#[tokio::test]
async fn a_cut_in_a_chunk_is_a_broken_connection() {
    let answer = vec![chunked_head(), chunk(&text_event("half")), send("ff\r\ndata: {"), Step::Close];
    let server = Server::answering([answer]).await;
    let (answer, shown) = ask_watched(streaming(&server)).await;
    let error = answer.unwrap_err();
    assert!(error.message.starts_with("the answer broke off: "), "{error}");
    assert!(error.retryable);
    assert_eq!(shown, ["half"]);
}

#[tokio::test]
async fn a_stream_that_ends_without_its_last_event_is_cut() {
    let server = Server::answering([events(&[text_event("all of it")])]).await;
    let error = error_of(streaming(&server)).await;
    assert_eq!(error.message, "the stream was cut: it ended before the response was complete");
    assert!(error.retryable);
}

#[tokio::test]
async fn nothing_behind_the_headers_is_a_cut_stream_too() {
    assert_eq!(
        streamed([]).await.0,
        "Response: the stream was cut: it ended before the response was complete"
    );
}

#[tokio::test]
async fn bytes_that_are_no_utf_8_are_named() {
    let (answer, _) = streamed([send(text_event("a")), send(b"data: \xff\xfe\n\n".as_slice())]).await;
    assert_eq!(answer, "Response: line 4 of the event stream is no UTF-8 behind byte 6");
    let server = Server::answering([json(b"{\"id\":\"\xff\"}")]).await;
    assert_eq!(error_of(client(&server)).await.message, "the answer is no UTF-8 behind byte 7");
}

#[tokio::test]
async fn a_failure_in_the_stream_is_the_providers_own() {
    let failure =
        r#"{"type":"error","error":{"type":"server_error","code":"server_error","message":"we are sorry"}}"#;
    let server = Server::answering([events(&[text_event("a"), format!("data: {failure}\n\n")])]).await;
    let error = error_of(streaming(&server)).await;
    assert_eq!(
        (error.kind, error.to_string()),
        (ModelErrorKind::Provider, "we are sorry (`server_error`)".into())
    );
    assert!(error.retryable);
}

#[tokio::test]
async fn the_content_type_says_what_it_is_whatever_was_asked_for() {
    let server = Server::answering([json(saying("whole").to_string())]).await;
    assert_eq!(ask(streaming(&server)).await.unwrap().text(), "whole");
    let server = Server::answering([events(&[end_event("in events")])]).await;
    assert_eq!(ask(client(&server)).await.unwrap().text(), "in events");
    let server = Server::answering([whole("200 OK", &[], saying("no type").to_string())]).await;
    assert_eq!(ask(client(&server)).await.unwrap().text(), "no type");
}

#[tokio::test]
async fn a_wrong_content_type_is_no_answer() {
    for kind in ["text/html; charset=utf-8", "text/plain", "application/octet-stream"] {
        let server =
            Server::answering([whole("200 OK", &[("content-type", kind)], saying("a").to_string())]).await;
        let error = error_of(streaming(&server)).await;
        let named = kind.split(';').next().unwrap();
        assert!(error.message.contains(&format!("the content type `{named}`")), "{error}");
        assert!(!error.retryable);
    }
}

#[tokio::test]
async fn a_connection_serves_the_next_request_too() {
    let answers =
        || [events(&[end_event("one")]), events(&[end_event("two")]), json(saying("three").to_string())];
    let server = Server::answering(answers()).await;
    let model = streaming(&server).build().unwrap();
    let set = tool_runtime::ToolSet::new(Vec::new()).unwrap();
    for text in ["one", "two", "three"] {
        let items = [tool_runtime::Item::user("hi")];
        let request = tool_runtime::ModelRequest::new(&set, &items);
        let response = tool_runtime::Model::respond(&model, request, &|_| {}).await.unwrap();
        assert_eq!(response.text(), text);
    }
    assert_eq!(server.connections(), 1);
}
