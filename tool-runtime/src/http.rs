//! Clients for the APIs of providers, over HTTP.
//!
//! ```no_run
//! use tool_runtime::http::{ApiKey, HttpModel};
//! use tool_runtime::provider::responses::Settings;
//! use tool_runtime::{Agent, CancellationToken};
//!
//! # async fn turn() -> Result<(), Box<dyn std::error::Error>> {
//! let model = HttpModel::responses(Settings::new("gpt-5.4").streamed())
//!     .key(ApiKey::from_env("OPENAI_API_KEY")?)
//!     .build()?;
//! let outcome = Agent::new(model, Vec::new())?.run("hello", &CancellationToken::new()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Who asks again
//!
//! A client makes each request once. It says whether another may help ([`ModelError::retryable`]) and how long the provider
//! asks to wait first ([`ModelError::retry_after`]); the [`Agent`](crate::Agent) asks again, since only the turn knows
//! whether a part of the answer was shown or a program may have run. Worth another request are the statuses 408, 409, 429
//! and from 500 on, connections that fail, and time limits; the header `x-should-retry` overrides the status. A used-up quota is
//! not worth one.
//!
//! # What is kept out of errors, logs and `Debug`
//!
//! The key and the values of extra headers, also where a server repeats them in its own words. Of the address, what stands
//! behind `?`.

mod answer;
mod builder;
mod key;
mod refusal;
mod retry_after;
mod secrets;
mod wire;

pub use builder::{HttpModelBuilder, MAX_ANSWER};
pub use key::{ApiKey, HttpModelError};

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Client, Url};

use crate::model::{Delta, Model, ModelError, ModelInfo, ModelRequest, ModelResponse};
use crate::provider::{EncodedRequest, anthropic, chat, gemini, responses, sse};
use crate::set::ToolSet;
use crate::tool::BoxFuture;

use answer::Answer;
use secrets::Secrets;
use wire::Wire;

/// A model behind the API of a provider. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct HttpModel {
    shared: Arc<Shared>,
}

/// What all requests of a client have in common.
struct Shared {
    wire: Box<dyn Wire>,
    client: Client,
    url: Url,
    headers: HeaderMap,
    secrets: Secrets,
    times: Times,
    limits: Sizes,
}

/// How long a client waits.
#[derive(Clone, Copy, Debug)]
struct Times {
    connect: Duration,
    answer: Duration,
    idle: Duration,
    total: Duration,
}

/// How much of an answer a client takes, in bytes.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    answer: usize,
    sse: sse::Limits,
}

impl HttpModel {
    /// A client for the [Responses format](responses); OpenAI's API by default.
    pub fn responses(settings: responses::Settings) -> HttpModelBuilder {
        HttpModelBuilder::new(Box::new(settings))
    }

    /// A client for the [Chat Completions format](chat); OpenAI's API by default.
    pub fn chat(settings: chat::Settings) -> HttpModelBuilder {
        HttpModelBuilder::new(Box::new(settings))
    }

    /// A client for the [Messages format](anthropic); Anthropic's API by default.
    pub fn anthropic(settings: anthropic::Settings) -> HttpModelBuilder {
        HttpModelBuilder::new(Box::new(settings))
    }

    /// A client for the [Gemini format](gemini); Google's API by default.
    pub fn gemini(settings: gemini::Settings) -> HttpModelBuilder {
        HttpModelBuilder::new(Box::new(settings))
    }

    async fn exchange(
        &self,
        request: ModelRequest<'_>,
        on_delta: &(dyn Fn(Delta) + Send + Sync),
    ) -> Result<ModelResponse, ModelError> {
        let shared = &*self.shared;
        let EncodedRequest { body, strict_dropped } = shared.wire.encode(&request)?;
        let shown = AtomicBool::new(false);
        let show = |delta: Delta| {
            shown.store(true, Ordering::Relaxed);
            on_delta(delta);
        };
        let asked = shared.ask(body, request.tools, &show);
        let answered = tokio::time::timeout(shared.times.total, asked).await.unwrap_or_else(|_| {
            let total = shared.times.total;
            Err(ModelError::provider(format!("the answer was not complete after {total:?}"), true))
        });
        let mut response = answered.map_err(|error| shared.secrets.hide_in(error))?;
        let text = response.text();
        if !shown.load(Ordering::Relaxed) && !text.is_empty() {
            // It came in one piece.
            on_delta(Delta::Text(text));
        }
        response.strict_dropped = strict_dropped;
        Ok(response)
    }
}

impl Shared {
    async fn ask(
        &self,
        body: String,
        set: &ToolSet,
        on_delta: &(dyn Fn(Delta) + Send + Sync),
    ) -> Result<ModelResponse, ModelError> {
        let sent = self.client.post(self.url.clone()).headers(self.headers.clone()).body(body).send();
        let response = match tokio::time::timeout(self.times.answer, sent).await {
            Ok(sent) => sent.map_err(|error| answer::broken("the request got no answer", error))?,
            Err(_) => {
                let waited = self.times.answer;
                let message = format!("the server did not begin to answer within {waited:?}");
                return Err(ModelError::provider(message, true));
            }
        };
        let status = response.status();
        let answer = Answer::new(response, self.times.idle, self.limits.answer);
        if !status.is_success() {
            return Err(refusal::read(status, answer, &self.url).await);
        }
        match answer.is_events(self.wire.streams())? {
            true => answer.events(self.wire.decoder(set), self.limits.sse, on_delta).await,
            false => self.wire.decode(&answer.text().await?, set),
        }
    }
}

impl Model for HttpModel {
    /// As [`Model::respond`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the connection, or the stream on it where requests share one.
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(self.exchange(request, on_delta))
    }

    fn info(&self) -> ModelInfo<'_> {
        let Shared { wire, url, .. } = &*self.shared;
        let facts = wire.facts();
        let info = ModelInfo::new(facts.provider, wire.model()).operation(facts.operation);
        match (url.host_str(), url.port_or_known_default()) {
            (Some(host), Some(port)) => info.server(host, port),
            _ => info,
        }
    }
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { wire, url, times, limits, .. } = &*self.shared;
        f.debug_struct("HttpModel")
            .field("model", &wire.model())
            .field("url", &secrets::without_query(url))
            .field("times", times)
            .field("limits", limits)
            .finish_non_exhaustive()
    }
}
