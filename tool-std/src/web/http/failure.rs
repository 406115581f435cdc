//! What is said of an answer that is none.

use std::error::Error;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::RETRY_AFTER;

use super::super::fetch::{FetchError, FetchErrorKind};
use super::super::shown;
use super::guard::NotReached;

/// The longest text of a cause, in characters.
const MAX_REASON: usize = 500;

pub(super) fn too_slow(time: Duration) -> FetchError {
    FetchError::new(FetchErrorKind::Limit, format!("it was not there after {time:?}"))
}

/// A request without an answer.
pub(super) fn no_answer(error: reqwest::Error) -> FetchError {
    let error = error.without_url();
    if let Some(refused) = cause::<NotReached>(&error) {
        return FetchError::new(FetchErrorKind::Refused, refused.to_string());
    }
    FetchError::new(FetchErrorKind::Connection, format!("the server gave no answer: {}", reasons(&error)))
}

/// An answer that ended before its end.
pub(super) fn broken(error: reqwest::Error, came: usize) -> FetchError {
    let came = shown::counted(came as u64, "byte", "bytes");
    let reasons = reasons(&error.without_url());
    FetchError::new(FetchErrorKind::Connection, format!("the answer broke off after {came}: {reasons}"))
}

/// An answer that says no.
pub(super) fn status(response: &Response) -> FetchError {
    let mut message = format!("the server answered {}", response.status());
    let wait = response.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok());
    if let Some(wait) = wait.filter(|wait| wait.len() < 40) {
        message.push_str(&format!("; it asks to wait: {wait}"));
    }
    FetchError::from_status(response.status().as_u16(), message)
}

/// An error with all that is known of why.
pub(in super::super) fn reasons(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let reason = error.to_string();
        if !text.ends_with(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        next = error.source();
    }
    shown::line(&text, MAX_REASON)
}

/// The first cause of a kind.
fn cause<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        next = error.source();
    }
    None
}
