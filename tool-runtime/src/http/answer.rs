//! An answer while it comes in.

use std::error::Error;
use std::time::Duration;

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap};

use crate::model::{Delta, ModelError, ModelResponse};
use crate::provider::sse::{Limits, Parser, SseEvent};

use super::wire::Decoder;

/// How long the end of a stream is waited for when all of it is there: seeing it keeps the connection for the next request.
const FOR_THE_END: Duration = Duration::from_millis(100);

/// The body of an answer.
pub(super) struct Answer {
    response: Response,
    idle: Duration,
    /// How many bytes it may have.
    limit: usize,
    /// How many it had so far.
    taken: usize,
}

impl Answer {
    pub(super) fn new(response: Response, idle: Duration, limit: usize) -> Self {
        Self { response, idle, limit, taken: 0 }
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// What the server says that it sends, in lower case and without parameters.
    pub(super) fn content_type(&self) -> Option<String> {
        let whole = self.headers().get(CONTENT_TYPE)?.to_str().ok()?;
        let kind = whole.split(';').next().unwrap_or(whole).trim();
        Some(kind.to_ascii_lowercase()).filter(|kind| !kind.is_empty())
    }

    /// Whether it comes in events. What was asked for counts only where the server does not say: some stream always, some
    /// never.
    pub(super) fn is_events(&self, asked_for_events: bool) -> Result<bool, ModelError> {
        match self.content_type().as_deref() {
            None => Ok(asked_for_events),
            Some("text/event-stream") => Ok(true),
            Some(kind) if kind == "application/json" || kind.ends_with("+json") => Ok(false),
            Some(other) => Err(ModelError {
                // A page of something that is no API: asked again, it shows the page again.
                retryable: false,
                ..ModelError::response(format!(
                    "the server answered with the content type `{}`, which is neither JSON nor an event stream: look \
                     at the base address",
                    shortened(other, 100)
                ))
            }),
        }
    }

    /// All of it, as text.
    pub(super) async fn text(mut self) -> Result<String, ModelError> {
        let mut bytes = Vec::new();
        while let Some(more) = self.next().await? {
            bytes.extend_from_slice(more.as_ref());
        }
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            ModelError::response(format!("the answer is no UTF-8 behind byte {at}"))
        })
    }

    /// Its first bytes, as far as they come.
    pub(super) async fn beginning(mut self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < most
            && let Ok(Some(more)) = self.next().await
        {
            bytes.extend_from_slice(more.as_ref());
        }
        bytes.truncate(most);
        bytes
    }

    /// The response that its events put together.
    pub(super) async fn events(
        mut self,
        mut decoder: Box<dyn Decoder + '_>,
        limits: Limits,
        on_delta: &(dyn Fn(Delta) + Send + Sync),
    ) -> Result<ModelResponse, ModelError> {
        let mut parser = Parser::with_limits(limits);
        while !decoder.is_finished() {
            let Some(bytes) = self.next().await? else {
                take(&mut *decoder, parser.finish()?, on_delta)?;
                return decoder.finish();
            };
            take(&mut *decoder, parser.push(bytes.as_ref())?, on_delta)?;
        }
        // What else comes changes nothing.
        let _ = tokio::time::timeout(FOR_THE_END, self.response.chunk()).await;
        decoder.finish()
    }

    async fn next(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, ModelError> {
        let next = tokio::time::timeout(self.idle, self.response.chunk()).await;
        let Ok(next) = next else {
            let message = format!("nothing more of the answer came for {:?}", self.idle);
            return Err(ModelError::provider(message, true));
        };
        let next = next.map_err(|error| broken("the answer broke off", error))?;
        self.taken = self.taken.saturating_add(next.as_ref().map_or(0, |bytes| bytes.len()));
        if self.taken > self.limit {
            let message = format!("the answer is longer than {} bytes", self.limit);
            return Err(ModelError { retryable: false, ..ModelError::response(message) });
        }
        Ok(next)
    }
}

fn take(
    decoder: &mut dyn Decoder,
    events: impl IntoIterator<Item = SseEvent>,
    on_delta: &(dyn Fn(Delta) + Send + Sync),
) -> Result<(), ModelError> {
    for event in events {
        if let Some(delta) = decoder.event(&event.data)? {
            on_delta(delta);
        }
    }
    Ok(())
}

/// A connection that failed, with all that is known of why. Asking again may help.
pub(super) fn broken(what: &str, error: reqwest::Error) -> ModelError {
    let is_own_fault = error.is_builder();
    let error = error.without_url();
    let mut message = format!("{what}: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !message.ends_with(&reason) {
            message.push_str(": ");
            message.push_str(&reason);
        }
        cause = error.source();
    }
    if is_own_fault { ModelError::request(message) } else { ModelError::provider(message, true) }
}

/// The first characters of a text.
pub(super) fn shortened(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}
