//! Providers of the host's own.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tests::loopback::{Server, whole};
use tool_runtime::BoxFuture;
use tool_std::web::{FetchError, FetchErrorKind, FetchProvider, Page};

use super::{fetch, html, page, refusal, text, web};

/// A provider that has one answer, and keeps what it was asked for.
#[derive(Clone)]
struct Fixed {
    answer: Result<Page, FetchError>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fixed {
    fn new(answer: Result<Page, FetchError>) -> Self {
        Self { answer, asked: Arc::default() }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl FetchProvider for Fixed {
    fn fetch<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<Page, FetchError>> {
        self.asked.lock().unwrap().push(url.to_owned());
        Box::pin(async { self.answer.clone() })
    }
}

fn rendered() -> Fixed {
    Fixed::new(Ok(Page::new("http://site.test/", "rendered text").with_title("Rendered")))
}

#[tokio::test]
async fn a_page_that_needs_scripts_is_got_the_second_way() {
    let second = rendered();
    for answer in
        [html("<div id=root></div>"), html("<p>Please enable JavaScript"), whole("403 Forbidden", &[], "")]
    {
        let server = Server::answering([answer]).await;
        let call = fetch(&web(&server).fallback(second.clone()), &["http://site.test/"]).await;
        assert_eq!(text(&call), "rendered text");
        let reason = page(&call)["fallback_reason"].as_str().unwrap().to_owned();
        assert!(
            call.text().contains(&format!("\nNote: a second way was taken, since {reason}\n")),
            "{}",
            call.text()
        );
    }
    assert_eq!(second.asked(), ["http://site.test/"; 3]);
}

#[tokio::test]
async fn a_page_that_came_well_is_not_fetched_twice() {
    let (server, second) = (Server::start(|_| html("<p>text")).await, rendered());
    let call = fetch(&web(&server).fallback(second.clone()), &["http://site.test/"]).await;
    assert_eq!(text(&call), "text");
    assert!(second.asked().is_empty());
}

#[tokio::test]
async fn what_may_not_be_fetched_may_not_be_fetched_the_second_way() {
    let server = Server::start(|_| html("")).await;
    let second = rendered();
    let web = web(&server).fallback(second.clone());
    for url in ["http://127.0.0.2/", "file:///etc/passwd", "http://[::1]/"] {
        refusal(&fetch(&web, &[url]).await);
    }
    // No server: the name is not known any more, so that nobody can tell where it leads.
    refusal(&fetch(&web, &["http://nowhere.test/"]).await);
    assert!(second.asked().is_empty());
}

#[tokio::test]
async fn when_both_ways_fail_both_are_told() {
    let server = Server::start(|_| whole("500 Broken", &[], "")).await;
    let second = Fixed::new(Err(FetchError::new(FetchErrorKind::Limit, "the browser took too long")));
    let (message, _) = refusal(&fetch(&web(&server).fallback(second), &["http://site.test/"]).await);
    let expected =
        "the server answered 500 Internal Server Error; the second way failed too: the browser took too long";
    assert!(message.ends_with(expected), "{message}");
}

#[tokio::test]
async fn a_provider_of_the_host_takes_the_place_of_ours() {
    let own = rendered();
    let server = Server::start(|_| html("<p>never")).await;
    let call = fetch(&web(&server).fetch(own.clone()), &["https://anything.example/"]).await;
    assert_eq!(
        (text(&call), page(&call)["source"].clone()),
        ("rendered text".to_owned(), json!("http://site.test/"))
    );
    assert_eq!(server.connections(), 0);
    assert_eq!(own.asked(), ["https://anything.example/"]);
}
