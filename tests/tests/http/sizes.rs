//! Nothing that a server sends makes a client grow without bound.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use tests::loopback::{Answer, Server, Step, events_head, head, whole};
use tool_runtime::http::HttpModelBuilder;
use tool_runtime::provider::sse::Limits;

use super::{ask, client, error_of, saying, streaming, text_event};

const JSON: (&str, &str) = ("content-type", "application/json");

fn small_lines(server: &Server) -> HttpModelBuilder {
    let mut limits = Limits::default();
    (limits.line, limits.event) = (64 * 1024, 128 * 1024);
    streaming(server).sse_limits(limits)
}

async fn refused(answer: Answer, client: impl Fn(&Server) -> HttpModelBuilder) -> String {
    let server = Server::answering([answer]).await;
    error_of(client(&server)).await.message
}

#[tokio::test]
async fn a_line_without_an_end() {
    let answer = vec![events_head(), Step::Send(b"data: ".to_vec()), Step::Forever(vec![b'x'; 4096])];
    assert_eq!(refused(answer, small_lines).await, "line 1 of the event stream is longer than 65536 bytes");
}

#[tokio::test]
async fn an_event_without_an_end() {
    let answer = vec![events_head(), Step::Forever(b"data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(100))];
    assert_eq!(refused(answer, small_lines).await, "an event of the stream is longer than 131072 bytes");
}

#[tokio::test]
async fn a_stream_without_an_end() {
    let answer = vec![events_head(), Step::Forever(b": still here\n\n".repeat(100))];
    let message = refused(answer, |server| streaming(server).max_answer(1_000_000)).await;
    assert_eq!(message, "the answer is longer than 1000000 bytes");
    let answer = vec![events_head(), Step::Forever(text_event("more ").repeat(100).into_bytes())];
    let message = refused(answer, |server| streaming(server).max_answer(1_000_000)).await;
    assert_eq!(message, "the answer is longer than 1000000 bytes");
}

#[tokio::test]
async fn a_body_without_an_end() {
    let answer = vec![head("200 OK", &[JSON, ("connection", "close")]), Step::Forever(vec![b' '; 4096])];
    let message = refused(answer, |server| client(server).max_answer(1_000_000)).await;
    assert_eq!(message, "the answer is longer than 1000000 bytes");
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn packed_bodies_are_unpacked_and_counted_so() {
    let gzip = [JSON, ("content-encoding", "gzip")];
    let server =
        Server::answering([whole("200 OK", &gzip, packed(saying("small").to_string().as_bytes()))]).await;
    assert_eq!(ask(client(&server)).await.unwrap().text(), "small");
    let bomb = packed(&vec![b' '; 20_000_000]);
    assert!(bomb.len() < 100_000);
    let message = refused(whole("200 OK", &gzip, bomb), |server| client(server).max_answer(1_000_000)).await;
    assert_eq!(message, "the answer is longer than 1000000 bytes");
}

#[tokio::test]
async fn headers_without_an_end() {
    let answer =
        vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Step::Forever(b"x-more: and more\r\n".repeat(100))];
    let server = Server::answering([answer]).await;
    let message = error_of(client(&server)).await.message;
    assert!(message.starts_with("the request got no answer: "), "{message}");
}
