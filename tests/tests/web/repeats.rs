//! Pages that were fetched lately.

use serde_json::json;
use tests::loopback::Server;

use super::{fetch, good, html, page, text, web};

#[tokio::test]
async fn a_page_is_not_fetched_again_in_the_same_conversation() {
    let server = Server::start(|_| html("<title>Once</title><p>text")).await;
    let web = web(&server);
    let first = fetch(&web, &["http://site.test/"]).await;
    assert_eq!(page(&first)["repeated_after_minutes"], json!(null));
    let again = fetch(&web.clone(), &[" http://site.test/ "]).await;
    assert_eq!(text(&again), "text");
    assert_eq!(page(&again)["repeated_after_minutes"], 0);
    assert!(again.text().contains("\nNote: this was fetched 0 minutes ago and was not fetched again\n"));
    fetch(&web.for_another_conversation(), &["http://site.test/"]).await;
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn an_address_given_twice_is_fetched_once() {
    let mut server = Server::start(|_| html("<p>text")).await;
    let call = fetch(&web(&server), &["http://site.test/", "http://site.test/"]).await;
    assert_eq!(text(&call), "text");
    assert_eq!(page(&call)["url"], "http://site.test/");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn failures_and_pages_with_a_note_are_fetched_again() {
    let mut answers = vec![html("<p>now"), html(""), good("image/png", "")];
    let mut server = Server::start(move |_| answers.pop().unwrap()).await;
    let web = web(&server);
    assert!(fetch(&web, &["http://site.test/"]).await.outcome.is_err());
    assert_eq!(page(&fetch(&web, &["http://site.test/"]).await)["warnings"], json!(["the page has no text"]));
    assert_eq!(text(&fetch(&web, &["http://site.test/"]).await), "now");
    assert_eq!(server.requests().len(), 3);
}
