//! Answers that are refusals: what they say, and whether asking again may help.

use std::time::Duration;

use tests::loopback::{Server, Step, head, whole};
use tool_runtime::{ModelError, ModelErrorKind};

use super::{client, error_of};

const JSON: (&str, &str) = ("content-type", "application/json");

async fn refused(status: &str, headers: &[(&str, &str)], body: &str) -> ModelError {
    let server = Server::answering([whole(status, headers, body)]).await;
    let error = error_of(client(&server)).await;
    assert_eq!(error.kind, ModelErrorKind::Provider);
    error
}

#[tokio::test]
async fn the_providers_own_words_are_passed_on() {
    let cases = [
        (
            r#"{"error":{"message":"no such model","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            "no such model (`model_not_found`)",
        ),
        (
            r#"{"type":"error","error":{"type":"not_found_error","message":"no such model"},"request_id":"q"}"#,
            "no such model (`not_found_error`)",
        ),
        (
            r#"[{"error":{"code":404,"message":"no such model","status":"NOT_FOUND"}}]"#,
            "no such model (`404`)",
        ),
        (r#"{"error":"no such model"}"#, "no such model (`404`)"),
        (
            r#"{"object":"error","message":"no such model","type":"NotFoundError","code":404}"#,
            "no such model (`404`)",
        ),
        (r#"{"detail":"no such model"}"#, "no such model (`404`)"),
    ];
    for (body, expected) in cases {
        let error = refused("404 Not Found", &[JSON], body).await;
        assert_eq!(error.to_string(), expected);
        assert!(!error.retryable);
    }
    let error = refused("404 Not Found", &[("content-type", "text/plain")], "no such model\n").await;
    assert_eq!(error.to_string(), "no such model (`404`)");
}

#[tokio::test]
async fn a_page_and_an_empty_body_are_no_reason() {
    for (headers, body, why) in [
        (
            [("content-type", "text/html")],
            "<html><h1>502 Bad Gateway</h1></html>",
            "with a page instead of a reason",
        ),
        ([JSON], "", "and gave no reason"),
        ([JSON], "{}", "and gave no reason"),
    ] {
        let error = refused("502 Bad Gateway", &headers, body).await;
        assert!(
            error.message.ends_with(&format!("/v1/responses` answered 502 Bad Gateway {why}")),
            "{error}"
        );
        assert_eq!(error.code.as_deref(), Some("502"));
        assert!(error.retryable);
    }
}

#[tokio::test]
async fn what_passes_may_be_asked_again() {
    let cases = [
        ("400 Bad Request", false),
        ("401 Unauthorized", false),
        ("403 Forbidden", false),
        ("404 Not Found", false),
        ("408 Request Timeout", true),
        ("409 Conflict", true),
        ("413 Payload Too Large", false),
        ("429 Too Many Requests", true),
        ("500 Internal Server Error", true),
        ("503 Service Unavailable", true),
        ("529 Overloaded", true),
    ];
    for (status, retryable) in cases {
        let error = refused(status, &[JSON], r#"{"error":{"message":"no"}}"#).await;
        assert_eq!((error.retryable, error.retry_after), (retryable, None), "{status}");
    }
}

#[tokio::test]
async fn the_server_may_say_so_itself() {
    let body = r#"{"error":{"message":"no"}}"#;
    assert!(!refused("503 Service Unavailable", &[JSON, ("x-should-retry", "false")], body).await.retryable);
    assert!(refused("400 Bad Request", &[JSON, ("x-should-retry", "true")], body).await.retryable);
    let quota = r#"{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}"#;
    let error = refused("429 Too Many Requests", &[JSON, ("retry-after", "1")], quota).await;
    assert!(!error.retryable, "a used-up quota does not heal");
}

#[tokio::test]
async fn the_wait_that_is_asked_for_is_passed_on() {
    let after = async |name, value| refused("429 Too Many Requests", &[JSON, (name, value)], "{}").await;
    let error = after("retry-after", "7").await;
    assert_eq!((error.retryable, error.retry_after), (true, Some(Duration::from_secs(7))));
    assert_eq!(after("retry-after-ms", "70").await.retry_after, Some(Duration::from_millis(70)));
    let error = after("retry-after", "121").await;
    assert!(!error.retryable, "nobody waits that long");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = Server::answering([whole("200 OK", &[JSON], "{}")]).await;
    let location = target.url() + "/responses?key=hunter22";
    for status in ["301 Moved Permanently", "307 Temporary Redirect"] {
        let error = refused(status, &[("location", &location)], "").await;
        let named = format!("it sends the request on to `{}/responses`, which is not followed", target.url());
        assert!(error.message.contains(&named), "{error}");
        assert!(!error.message.contains("hunter22"));
        assert!(!error.retryable);
    }
    assert_eq!(target.connections(), 0);
}

#[tokio::test]
async fn an_endless_refusal_is_read_in_part() {
    let server = Server::answering([vec![
        head("500 Internal Server Error", &[("content-type", "text/plain"), ("connection", "close")]),
        Step::Forever(vec![b'x'; 4096]),
    ]])
    .await;
    let error = error_of(client(&server)).await;
    assert_eq!(error.message, "x".repeat(4_000));
    assert!(error.retryable);
}

#[tokio::test]
async fn a_refusal_that_stalls_is_still_one() {
    let server = Server::answering([vec![
        head("401 Unauthorized", &[JSON, ("content-length", "1000")]),
        Step::Send(br#"{"error":"#.to_vec()),
        Step::Stall,
    ]])
    .await;
    let error = error_of(client(&server).idle_timeout(Duration::from_millis(50))).await;
    assert_eq!(error.code.as_deref(), Some("401"));
    assert!(!error.retryable);
}
