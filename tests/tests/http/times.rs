//! Time limits, connections that cannot be had, and connections that nobody wants any more. No test measures time: each
//! ends, or hangs.

use std::time::Duration;

use tests::loopback::{Seen, Server, Step, events_head, head};
use tokio::io::AsyncReadExt;
use tool_runtime::http::HttpModel;
use tool_runtime::provider::responses::Settings;
use tool_runtime::{Agent, CancellationToken, Ending, EventKind, event_channel};

use super::{ask_watched, client, error_of, streaming, text_event};

const SHORT: Duration = Duration::from_millis(200);

#[tokio::test]
async fn a_stream_that_stalls_is_given_up() {
    let mut server =
        Server::answering([vec![events_head(), Step::Send(text_event("a").into_bytes()), Step::Stall]]).await;
    let (answer, shown) = ask_watched(streaming(&server).idle_timeout(SHORT)).await;
    let error = answer.unwrap_err();
    assert_eq!(error.message, "nothing more of the answer came for 200ms");
    assert!(error.retryable);
    assert_eq!(shown, ["a"]);
    assert!(matches!(server.next().await, Seen::Request(_)));
    assert!(matches!(server.next().await, Seen::Gone), "the connection is closed");
}

#[tokio::test]
async fn slow_headers_are_given_up() {
    for head in ["", "HTTP/1.1 200 OK\r\ncontent-ty"] {
        let mut server = Server::answering([vec![Step::Send(head.into()), Step::Stall]]).await;
        let error = error_of(client(&server).answer_timeout(SHORT)).await;
        assert_eq!(error.message, "the server did not begin to answer within 200ms");
        assert!(error.retryable);
        assert!(matches!(server.next().await, Seen::Request(_)));
        assert!(matches!(server.next().await, Seen::Gone), "the connection is closed");
    }
}

#[tokio::test]
async fn one_request_has_a_time_in_all() {
    let server = Server::answering([vec![events_head(), Step::Stall]]).await;
    let error = error_of(streaming(&server).total_timeout(SHORT)).await;
    assert_eq!(error.message, "the answer was not complete after 200ms");
    assert!(error.retryable);
}

#[tokio::test]
async fn nobody_listens() {
    let model = HttpModel::responses(Settings::new("m")).base_url(Server::nobody().await).without_proxy();
    let error = error_of(model).await;
    assert!(error.message.starts_with("the request got no answer: "), "{error}");
    assert!(error.message.contains("refused"), "the cause is told: {error}");
    assert!(error.retryable);
}

#[tokio::test]
async fn a_server_that_hangs_up_or_speaks_something_else() {
    let hang_up = vec![Step::Close];
    let half_a_head = vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-".to_vec()), Step::Close];
    let mail = vec![Step::Send(b"220 mail.example ESMTP\r\n".to_vec()), Step::Close];
    let short_body =
        vec![head("200 OK", &[("content-type", "application/json"), ("content-length", "900")]), Step::Close];
    for answer in [hang_up, half_a_head, mail, short_body] {
        let server = Server::answering([answer.clone()]).await;
        let error = error_of(client(&server)).await;
        assert!(error.retryable, "{answer:?}: {error}");
    }
}

#[tokio::test]
async fn https_to_a_server_without_it_sends_no_request() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut hello = [0; 1];
        stream.read_exact(&mut hello).await.unwrap();
        hello
    });
    let model =
        HttpModel::responses(Settings::new("m")).base_url(format!("https://{address}/v1")).without_proxy();
    let error = error_of(model).await;
    assert!(error.message.starts_with("the request got no answer: "), "{error}");
    assert_eq!(server.await.unwrap(), [22], "the first byte is that of a TLS handshake");
}

#[tokio::test]
async fn cancelling_a_turn_closes_the_connection() {
    let mid_stream = vec![events_head(), Step::Send(text_event("a").into_bytes()), Step::Stall];
    let no_head_yet = vec![Step::Stall];
    for (answer, shows) in [(mid_stream, true), (no_head_yet, false)] {
        let mut server = Server::answering([answer]).await;
        let (sender, mut events) = event_channel(100);
        let agent = Agent::new(streaming(&server).build().unwrap(), Vec::new()).unwrap().events(sender);
        let cancel = CancellationToken::new();
        let turn = tokio::spawn({
            let cancel = cancel.clone();
            async move { agent.run("hi", &cancel).await }
        });
        assert!(matches!(server.next().await, Seen::Request(_)));
        while shows && !matches!(events.next().await.unwrap().kind, EventKind::Text(_)) {}
        cancel.cancel();
        assert!(matches!(server.next().await, Seen::Gone), "the connection is closed");
        let outcome = turn.await.unwrap().unwrap();
        assert!(matches!(outcome.ending, Ending::Cancelled(_)), "{:?}", outcome.ending);
    }
}
