//! Servers that mean harm: bounded time and memory, and the right sentence each.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tests::loopback::{Answer, Seen, Server, Step, head, whole};
use tool_runtime::{CancellationToken, DispatchOptions, Events, ToolCall, ToolErrorKind, ToolSet, dispatch};
use tool_std::web::{MAX_BODY, Web, web_tools};

use super::{Names, fetch, fetcher, good, html, page, refusal, refused, said_of, text, web};

const HTML: (&str, &str) = ("content-type", "text/html");
const CLOSE: (&str, &str) = ("connection", "close");
/// How much a server can send beyond what is read: what the buffers of both ends hold.
const IN_BUFFERS: u64 = 16 * 1024 * 1024;

/// A web that waits for a page only as long as a test can.
fn impatient(server: &Server) -> Web {
    let names = Names::default().with("site.test", server.address());
    Web::new().fetch(fetcher(&names).time(Duration::from_millis(300)).build().unwrap())
}

#[tokio::test]
async fn a_server_that_never_answers() {
    let mut server = Server::answering([vec![Step::Stall]]).await;
    let said = said_of(&fetch(&impatient(&server), &["http://site.test/"]).await);
    assert_eq!(said, "it was not there after 300ms");
    server.closed().await;
}

#[tokio::test]
async fn a_byte_now_and_then() {
    for first in [vec![], vec![head("200 OK", &[HTML, CLOSE])]] {
        let drip = Step::Slowly(b"HTTP/1.1 200 OK\r\nx: ".to_vec(), Duration::from_millis(20));
        let mut server = Server::answering([[first, vec![drip]].concat()]).await;
        let said = said_of(&fetch(&impatient(&server), &["http://site.test/"]).await);
        assert_eq!(said, "it was not there after 300ms");
        server.closed().await;
    }
}

#[tokio::test]
async fn a_body_without_an_end_is_read_up_to_the_limit() {
    let body = vec![head("200 OK", &[HTML, CLOSE]), Step::Forever(vec![b'x'; 64 * 1024])];
    let mut server = Server::answering([body]).await;
    let said = said_of(&fetch(&web(&server), &["http://site.test/"]).await);
    assert_eq!(said, "it is larger than 8,388,608 bytes and was not read");
    server.closed().await;
    assert!(server.sent() <= MAX_BODY as u64 + IN_BUFFERS, "{}", server.sent());
}

#[tokio::test]
async fn a_body_that_is_said_to_be_large_is_not_read() {
    let body =
        vec![head("200 OK", &[HTML, ("content-length", "1073741824")]), Step::Forever(vec![b'x'; 64 * 1024])];
    let mut server = Server::answering([body]).await;
    let said = said_of(&fetch(&web(&server), &["http://site.test/"]).await);
    assert_eq!(said, "it is larger than 8,388,608 bytes and was not read");
    server.closed().await;
    assert!(server.sent() <= IN_BUFFERS, "{}", server.sent());
}

fn packed(size: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    for _ in 0..size / 1_000_000 {
        encoder.write_all(&[b' '; 1_000_000]).unwrap();
    }
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_packed_bomb_is_unpacked_up_to_the_limit() {
    let bomb = packed(200_000_000);
    assert!(bomb.len() < 250_000);
    let said = refused(whole("200 OK", &[HTML, ("content-encoding", "gzip")], bomb)).await;
    assert_eq!(said, "it is larger than 8,388,608 bytes and was not read");
}

#[tokio::test]
async fn a_packed_page_is_read_and_a_broken_one_is_said_to_be() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"<p>unpacked").unwrap();
    let gzip = [HTML, ("content-encoding", "gzip")];
    let server = Server::answering([whole("200 OK", &gzip, encoder.finish().unwrap())]).await;
    assert_eq!(text(&fetch(&web(&server), &["http://site.test/"]).await), "unpacked");
    let said = refused(whole("200 OK", &gzip, "this is not packed")).await;
    assert!(said.starts_with("the answer broke off after 0 bytes: "), "{said}");
}

#[tokio::test]
async fn lengths_that_are_wrong() {
    let short = vec![
        head("200 OK", &[HTML, ("content-length", "100")]),
        Step::Send(b"<p>half".to_vec()),
        Step::Close,
    ];
    let said = refused(short).await;
    assert!(said.starts_with("the answer broke off after 7 bytes: "), "{said}");
    let more = vec![
        head("200 OK", &[HTML, ("content-length", "8")]),
        Step::Send(b"<p>wholeXXXX".to_vec()),
        Step::Close,
    ];
    let server = Server::answering([more]).await;
    assert_eq!(text(&fetch(&web(&server), &["http://site.test/"]).await), "whole");
    for length in ["-1", "abc", "8, 9"] {
        let wrong = vec![head("200 OK", &[HTML, ("content-length", length)]), Step::Close];
        let said = refused(wrong).await;
        assert!(said.starts_with("the server gave no answer: "), "{length}: {said}");
    }
    let chunks = [HTML, ("transfer-encoding", "chunked")];
    let said =
        refused(vec![head("200 OK", &chunks), Step::Send(b"5\r\nabcde\r\nzz\r\n".to_vec()), Step::Close])
            .await;
    assert!(said.starts_with("the answer broke off after 5 bytes: "), "{said}");
}

#[tokio::test]
async fn headers_without_an_end() {
    let flood: Answer =
        vec![Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()), Step::Forever(b"x-more: and more\r\n".repeat(100))];
    let mut server = Server::answering([flood]).await;
    let said = said_of(&fetch(&web(&server), &["http://site.test/"]).await);
    assert!(said.starts_with("the server gave no answer: "), "{said}");
    server.closed().await;
    assert!(server.sent() <= IN_BUFFERS, "{}", server.sent());
}

#[tokio::test]
async fn what_is_no_http() {
    let said = refused(vec![Step::Send(b"SSH-2.0-OpenSSH_9.2\r\n".to_vec()), Step::Close]).await;
    assert!(said.starts_with("the server gave no answer: "), "{said}");
    let said = refused(vec![Step::Close]).await;
    assert!(said.starts_with("the server gave no answer: "), "{said}");
}

#[tokio::test]
async fn a_hundred_thousand_elements_inside_of_each_other() {
    for tag in ["<div>", "<b>", "<blockquote>", "<ul><li>", "<table><tr><td>", "<a href=x><div>", "<svg><g>"]
    {
        let mut body = String::from("<title>Deep</title><p>The beginning.</p>");
        for _ in 0..100_000 {
            body.push_str(tag);
        }
        body.push_str("the end");
        let server = Server::answering([html(body)]).await;
        let call = fetch(&web(&server), &["http://site.test/"]).await;
        assert!(text(&call).contains("The beginning."), "{tag}");
        let page = page(&call);
        assert_eq!(page["title"], "Deep");
        let warning = "the page nests its elements too deep; what lies deepest or behind it was not read";
        assert_eq!(page["warnings"], json!([warning]), "{tag}");
    }
}

#[tokio::test]
async fn elements_without_number() {
    let server = Server::answering([html("<p>a".repeat(1_000_000))]).await;
    let call = fetch(&web(&server), &["http://site.test/"]).await;
    let warning = page(&call)["warnings"][0].as_str().unwrap().to_owned();
    assert!(warning.contains("first part"), "{warning}");
}

#[tokio::test]
async fn elements_that_multiply() {
    // Each paragraph opens all the elements before it again.
    let mut body = String::new();
    for number in 0..20_000 {
        let _ = write!(body, "<p><b id={number}></p>");
    }
    let server = Server::answering([html(body)]).await;
    let call = fetch(&web(&server), &["http://site.test/"]).await;
    assert_ne!(page(&call)["warnings"], json!(null));
}

#[tokio::test]
async fn huge_attributes_and_very_many() {
    let huge = format!("<p class=\"{}\" title='{}'>huge</p>", "x y ".repeat(500_000), "z".repeat(2_000_000));
    let server = Server::answering([html(huge)]).await;
    assert_eq!(text(&fetch(&web(&server), &["http://site.test/"]).await), "huge");

    let mut many = String::from("<p>before<p ");
    for number in 0..60_000 {
        let _ = write!(many, "a{number} ");
    }
    let server = Server::answering([html(many + ">behind</p>")]).await;
    let call = fetch(&web(&server), &["http://site.test/"]).await;
    assert!(text(&call).starts_with("before"), "{}", call.text());

    let links = format!(
        "<a href='{0}'>far</a><img src='data:image/png;base64,{0}' alt=pixel>",
        "x".repeat(1_000_000)
    );
    let server = Server::answering([html(links)]).await;
    let call = fetch(&web(&server), &["http://site.test/"]).await;
    assert!(text(&call).len() < 100, "{}", call.text().len());
}

#[tokio::test]
async fn five_bad_pages_beside_each_other_are_told_one_by_one() {
    let server = Server::start(|request| match &*request.target {
        "/bomb" => whole("200 OK", &[HTML, ("content-encoding", "gzip")], packed(20_000_000)),
        "/deep" => html("<div>".repeat(100_000)),
        "/gone" => whole("404 Not Found", &[], ""),
        "/pdf" => good("application/pdf", "%PDF-1.7"),
        _ => html("<p>good"),
    })
    .await;
    let urls = ["/bomb", "/good", "/deep", "/gone", "/pdf"].map(|path| format!("http://site.test{path}"));
    let call = fetch(&web(&server), &urls.each_ref().map(String::as_str)).await;
    let details: serde_json::Value = call.details().unwrap();
    let kinds: Vec<_> = details["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page["error_kind"].as_str().unwrap_or(""))
        .collect();
    assert_eq!(kinds, ["limit", "", "", "status", "content"]);
    assert!(call.text().contains("good\n</web_page>"), "{}", call.text());
    assert_eq!(call.completed_activity.as_deref(), Some("Fetched 2 of 5 pages"));
}

#[tokio::test]
async fn a_call_that_is_cancelled_closes_its_connection() {
    let mut server = Server::answering([vec![head("200 OK", &[HTML, CLOSE]), Step::Stall]]).await;
    let set = ToolSet::new(web_tools(&web(&server))).unwrap();
    let cancel = CancellationToken::new();
    let arguments = json!({ "urls": ["http://site.test/"] }).to_string();
    let call = ToolCall::new("c1", "web_fetch", arguments);
    let (options, events) = (DispatchOptions::new(), Events::none());
    let running = dispatch(&set, vec![call], &options, &events, &cancel);
    tokio::pin!(running);
    tokio::select! {
        _ = &mut running => panic!("the server does not answer"),
        seen = server.next() => assert!(matches!(seen, Seen::Request(_))),
    }
    cancel.cancel();
    let results = running.await;
    assert!(results[0].outcome.is_err());
    server.closed().await;
}

#[tokio::test]
async fn a_refusal_says_whether_another_time_may_help() {
    for (status, headers, expected, kind) in [
        ("404 Not Found", &[][..], "the server answered 404 Not Found", ToolErrorKind::NotFound),
        ("403 Forbidden", &[], "the server answered 403 Forbidden", ToolErrorKind::Denied),
        (
            "429 Too Many Requests",
            &[("retry-after", "120")],
            "the server answered 429 Too Many Requests; it asks to wait: 120",
            ToolErrorKind::Unavailable,
        ),
        ("503 Busy", &[], "the server answered 503 Service Unavailable", ToolErrorKind::Unavailable),
        ("304 Not Modified", &[], "the server answered 304 Not Modified", ToolErrorKind::Unavailable),
        ("302 Found", &[], "the server answered 302 Found", ToolErrorKind::Unavailable),
    ] {
        let server = Server::answering([whole(status, headers, "")]).await;
        let call = fetch(&web(&server), &["http://site.test/"]).await;
        assert_eq!(said_of(&call), expected);
        assert_eq!(refusal(&call).1, kind, "{status}");
    }
}
