//! What the server refuses, and what it does when the client leaves.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Local, endless, saying};

/// The code and the message of an error object.
fn error(text: &str) -> (String, String) {
    let body: Value = serde_json::from_str(text).unwrap();
    let error = &body["error"];
    (error["code"].as_str().unwrap().to_owned(), error["message"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_bad_request_is_an_error_object_that_says_what_is_wrong() {
    let Some(local) = Local::shared() else { return };
    let unsupported = json!({ "type": "function", "function": { "name": "odd", "parameters": {
        "type": "object", "properties": { "a": { "not": { "type": "string" } } },
    } } });
    for (body, status, code, said) in [
        ("{".to_owned(), 400, "invalid_request", "no request"),
        (json!({ "model": "m", "messages": [] }).to_string(), 400, "invalid_request", "`messages` is empty"),
        (
            saying("a", json!([endless(), unsupported]), json!("auto")).to_string(),
            400,
            "unsupported_schema",
            "`odd`",
        ),
        (
            saying(&"word ".repeat(5_000), json!([]), Value::Null).to_string(),
            400,
            "context_length_exceeded",
            "less than 4096",
        ),
        (" ".repeat(4 * 1024 * 1024 + 1), 413, "too_large", "4194304 bytes"),
    ] {
        let (found, text) = local.post(body).await;
        let (found_code, message) = error(&text);
        assert_eq!((found, found_code.as_str()), (status, code), "{message}");
        assert!(message.contains(said), "{message}");
    }
}

#[tokio::test]
async fn other_paths_and_methods_are_refused() {
    let Some(local) = Local::shared() else { return };
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let base = local.base_url();
    for (request, status, code) in [
        (client.get(format!("{base}/nothing")), 404, "not_found"),
        (client.post(format!("{base}/responses")), 404, "not_found"),
        (client.get(format!("{base}/chat/completions")), 405, "method_not_allowed"),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status);
        assert_eq!(error(&response.text().await.unwrap()).0, code);
    }
    let models = client.get(format!("{base}/models")).send().await.unwrap().text().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&models).unwrap()["data"][0]["id"], "smollm2");
}

/// Waits until it holds, however long that takes.
async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Sends a request whose answer never ends, by hand.
async fn open(local: &Local, stream: bool) -> TcpStream {
    let mut body = saying("Write.", json!([endless()]), json!("required"));
    body["stream"] = json!(stream);
    body["max_tokens"] = json!(4_000);
    let body = body.to_string();
    let mut connection = TcpStream::connect(&local.address).await.unwrap();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: local\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.write_all(body.as_bytes()).await.unwrap();
    connection
}

#[tokio::test]
async fn an_answer_is_given_up_when_the_client_leaves() {
    let Some(local) = Local::start() else { return };
    for (stream, given_up) in [(true, 1), (false, 2)] {
        let mut connection = open(&local, stream).await;
        if stream {
            let mut some = [0; 64];
            assert!(connection.read(&mut some).await.unwrap() > 0);
        }
        until(|| local.engine.counts().is_writing).await;
        drop(connection);
        until(|| local.engine.counts().given_up == given_up).await;
        assert!(!local.engine.counts().is_writing);
    }
    let mut body = saying("Hello!", json!([]), Value::Null);
    body["max_tokens"] = json!(3);
    local.ask(body).await;
    let counts = local.engine.counts();
    assert_eq!((counts.answered, counts.given_up), (1, 2));
}

#[tokio::test]
async fn requests_that_are_too_many_are_told_to_come_again() {
    let Some(local) = Local::start() else { return };
    let first = open(&local, true).await;
    until(|| local.engine.counts().is_writing).await;
    // As many as may wait; the next one is refused, whichever that is.
    let body = saying("Hello!", json!([]), Value::Null).to_string();
    let mut asked = tokio::task::JoinSet::new();
    let local: &'static Local = Box::leak(Box::new(local));
    for _ in 0..17 {
        let body = body.clone();
        asked.spawn(local.post(body));
    }
    let (status, text) = asked.join_next().await.unwrap().unwrap();
    assert_eq!((status, error(&text).0.as_str()), (503, "busy"));
    drop(first);
    asked.shutdown().await;
    until(|| !local.engine.counts().is_writing && local.engine.counts().given_up > 0).await;
}
