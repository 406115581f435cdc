//! An answer that is a refusal.

use reqwest::header::{HeaderMap, LOCATION};
use reqwest::{StatusCode, Url};
use serde_json::Value;

use crate::model::ModelError;
use crate::provider::failure::reported;

use super::answer::{Answer, shortened};
use super::retry_after::retry_after;
use super::secrets::without_query;

/// How much of a refusal is read, in bytes.
const MAX_REFUSAL: usize = 64 * 1024;
/// How much of a server's own words is passed on, in characters.
const MAX_REASON: usize = 4_000;

/// The error that a refusal tells.
pub(super) async fn read(status: StatusCode, answer: Answer, url: &Url) -> ModelError {
    let headers = answer.headers().clone();
    let content_type = answer.content_type();
    let body = answer.beginning(MAX_REFUSAL).await;
    let otherwise = || no_reason(status, &headers, content_type.as_deref(), url);
    let mut error = match serde_json::from_slice::<Value>(&body) {
        Ok(body) => from_json(&body, otherwise),
        Err(_) => {
            ModelError::provider(plain(content_type.as_deref(), &body).unwrap_or_else(otherwise), false)
        }
    };
    error.message = shortened(&error.message, MAX_REASON).to_owned();
    error.retryable = may_help(status, &headers, error.code.as_deref());
    if error.code.is_none() {
        error.code = Some(status.as_str().to_owned());
    }
    match retry_after(&headers) {
        Some(wait) => error.with_retry_after(wait),
        None => error,
    }
}

/// The forms in which servers tell a failure: in `error`, in the object itself, in a list of one of them.
fn from_json(body: &Value, otherwise: impl FnOnce() -> String) -> ModelError {
    let body = body.get(0).unwrap_or(body);
    match (body.get("error"), body.get("detail")) {
        (Some(error), _) if !error.is_null() => reported(error, otherwise),
        (_, Some(detail)) if detail.is_string() => reported(detail, otherwise),
        _ => reported(body, otherwise),
    }
}

/// Whether the same request may succeed later.
fn may_help(status: StatusCode, headers: &HeaderMap, code: Option<&str>) -> bool {
    let told = headers.get("x-should-retry").and_then(|value| value.to_str().ok()).map(str::trim);
    match (told, code) {
        (Some("false"), _) | (_, Some("insufficient_quota")) => false,
        (Some("true"), _) => true,
        _ => matches!(status.as_u16(), 408 | 409 | 429 | 500..),
    }
}

/// A text that says why. Pages for people do not.
fn plain(content_type: Option<&str>, body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.trim();
    let is_page = content_type == Some("text/html") || text.starts_with('<');
    (!is_page && !text.is_empty()).then(|| text.to_owned())
}

fn no_reason(status: StatusCode, headers: &HeaderMap, content_type: Option<&str>, url: &Url) -> String {
    let url = without_query(url);
    if status.is_redirection() {
        let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
        let target = target.and_then(|target| Url::parse(&url).ok()?.join(target).ok());
        let target =
            target.map_or_else(|| "somewhere else".to_owned(), |url| format!("`{}`", without_query(&url)));
        return format!(
            "the server at `{url}` answered {status}: it sends the request on to {target}, which is not followed; \
             change the base address if that is where the API is"
        );
    }
    let page = match content_type {
        Some("text/html") => " with a page instead of a reason",
        _ => " and gave no reason",
    };
    format!("the server at `{url}` answered {status}{page}")
}
