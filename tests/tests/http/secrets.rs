//! Keys are shown nowhere.

use tests::loopback::{Server, Step, events_head, json, whole};
use tool_runtime::Model;
use tool_runtime::http::{ApiKey, HttpModel};
use tool_runtime::provider::responses::Settings;

use super::{ask, client, error_of, saying};

const KEY: &str = "sk-very-secret-0123456789";

#[test]
fn a_key_has_no_debug_text() {
    let key = ApiKey::new(KEY);
    assert_eq!(format!("{key:?}"), "ApiKey(..)");
    let builder = HttpModel::responses(Settings::new("m"))
        .base_url(format!("https://host/v1?key={KEY}"))
        .key(key)
        .header("x-other", KEY);
    let shown = format!("{builder:?}");
    assert!(!shown.contains(KEY) && shown.contains("x-other"), "{shown}");
    let model = builder.build().unwrap();
    let shown = format!("{model:#?} {:?}", model.info());
    assert!(!shown.contains(KEY), "{shown}");
    assert!(shown.contains("https://host/v1/responses"), "{shown}");
}

#[test]
fn a_client_that_cannot_be_made_does_not_say_the_key() {
    let build = |base_url: &str, key: &str, header: (&str, &str)| {
        let builder = HttpModel::responses(Settings::new("m"));
        builder
            .base_url(base_url)
            .key(ApiKey::new(key))
            .header(header.0, header.1)
            .build()
            .unwrap_err()
            .message
    };
    let good = ("x-other", "v");
    let at = "https://host/v1";
    let cases = [
        (
            build(at, "sk-very\nsecret", good),
            "the key cannot be sent: it holds characters that no header may have",
        ),
        (
            build(at, KEY, ("x-other", "very\nsecret")),
            "the header `x-other` cannot be sent: its value holds characters that it may not have",
        ),
        (
            build(at, KEY, ("x other", "very secret")),
            "the header `x other` cannot be sent: its name holds characters that it may not have",
        ),
        (
            build("https://me:very-secret@host/v1", KEY, good),
            "the base address holds a user or a password: give a key or a header instead",
        ),
        (
            build("ftp://host/very-secret", KEY, good),
            "the base address has the scheme `ftp`: use `https` or `http`",
        ),
        (
            build("https://host/#very-secret", KEY, good),
            "the base address holds a `#`: leave out what begins with it",
        ),
        (
            build("very-secret", KEY, good),
            "the base address cannot be read: relative URL without a base; it is like `https://host/v1`",
        ),
    ];
    for (message, expected) in cases {
        assert_eq!(message, expected);
    }
}

#[test]
fn a_key_comes_from_the_environment_or_is_asked_for() {
    let path = ApiKey::from_env("PATH").unwrap();
    assert_eq!(path, ApiKey::new(std::env::var("PATH").unwrap()));
    assert_eq!(
        ApiKey::from_env("NO_SUCH_KEY_IN_ANY_ENVIRONMENT").unwrap_err().message,
        "there is no variable `NO_SUCH_KEY_IN_ANY_ENVIRONMENT` in the environment: set it to the key of the API"
    );
}

#[tokio::test]
async fn a_server_that_repeats_the_key_is_not_passed_on() {
    let repeated = format!(
        r#"{{"error":{{"message":"Incorrect key {KEY}; header was other-secret","code":"bad {KEY}"}}}}"#
    );
    let headers = [("content-type", "application/json"), ("location", KEY)];
    let page = [("content-type", "text/plain")];
    let answers = [
        whole("401 Unauthorized", &headers, repeated),
        whole("500 Internal Server Error", &page, format!("Authorization: Bearer {KEY}")),
        whole("302 Found", &headers, ""),
        whole("200 OK", &[("content-type", KEY)], ""),
        json(format!("{{\"status\":\"failed\",\"error\":{{\"message\":\"{KEY}\"}}}}")),
        vec![
            events_head(),
            Step::Send(format!("data: {{\"type\":\"error\",\"message\":\"{KEY}\"}}\n\n").into()),
            Step::Close,
        ],
    ];
    for answer in answers {
        let server = Server::answering([answer.clone()]).await;
        let base_url = server.url() + "?key=" + KEY;
        let error = error_of(
            client(&server).base_url(base_url).key(ApiKey::new(KEY)).header("x-other", "other-secret"),
        )
        .await;
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains(KEY) && !shown.contains("other-secret"), "{answer:?}: {shown}");
    }
    let base_url = Server::nobody().await + "?key=" + KEY;
    let nobody =
        HttpModel::responses(Settings::new("m")).base_url(base_url).key(ApiKey::new(KEY)).without_proxy();
    let error = error_of(nobody).await;
    assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
}

#[tokio::test]
async fn white_space_around_a_key_is_no_part_of_it() {
    let mut server = Server::answering([json(saying("a").to_string())]).await;
    ask(client(&server).key(ApiKey::new(format!("  {KEY}\n")))).await.unwrap();
    let request = server.requests().pop().unwrap();
    assert_eq!(request.header("authorization"), Some(&*format!("Bearer {KEY}")));
}
