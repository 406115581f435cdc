//! The spans of a turn and of each request to its model, by OpenTelemetry's conventions for generative AI, through `tracing`
//! and only with the feature of that name. They hold no messages.

use crate::model::{ModelError, ModelInfo, ModelRequest, ModelResponse};

use super::outcome::{Outcome, TurnError};

/// The span of a turn.
pub(super) struct TurnSpan {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

/// The span of one request.
pub(super) struct RequestSpan {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

#[cfg(feature = "tracing")]
impl TurnSpan {
    pub(super) fn open(model: &ModelInfo<'_>) -> Self {
        use tracing::field::Empty;

        let span = tracing::info_span!(
            "invoke_agent",
            otel.kind = "internal",
            otel.status_code = Empty,
            gen_ai.operation.name = "invoke_agent",
            gen_ai.provider.name = model.provider,
            gen_ai.request.model = model.model,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            tool_runtime.turn.ending = Empty,
            tool_runtime.turn.iterations = Empty,
            error.type = Empty,
        );
        Self { span }
    }

    /// Runs the turn within the span.
    pub(super) async fn around(
        self,
        turn: impl Future<Output = Result<Outcome, TurnError>>,
    ) -> Result<Outcome, TurnError> {
        use super::outcome::Ending;

        let ended = tracing::Instrument::instrument(turn, self.span.clone()).await;
        let error = match &ended {
            Ok(outcome) => {
                self.span.record("tool_runtime.turn.ending", outcome.ending.kind());
                self.span.record("tool_runtime.turn.iterations", outcome.iterations);
                self.span.record("gen_ai.usage.input_tokens", outcome.usage.input_tokens);
                self.span.record("gen_ai.usage.output_tokens", outcome.usage.output_tokens);
                match &outcome.ending {
                    Ending::ModelFailed(error) => Some(class_of(error)),
                    ending @ (Ending::NotAccepted { .. } | Ending::RepeatedFailure { .. }) => {
                        Some(ending.kind())
                    }
                    _ => None,
                }
            }
            Err(_) => Some("not_recorded"),
        };
        fail(&self.span, error);
        ended
    }
}

#[cfg(feature = "tracing")]
impl RequestSpan {
    pub(super) fn open(model: &ModelInfo<'_>, request: &ModelRequest<'_>) -> Self {
        use tracing::field::Empty;

        let span = tracing::info_span!(
            "chat",
            otel.name = model.model.map_or_else(|| model.operation.to_owned(), |name| format!("{} {name}", model.operation)),
            otel.kind = "client",
            otel.status_code = Empty,
            gen_ai.operation.name = model.operation,
            gen_ai.provider.name = model.provider,
            gen_ai.request.model = model.model,
            gen_ai.request.max_tokens = request.max_output_tokens,
            server.address = model.server.map(|(host, _)| host),
            server.port = model.server.map(|(_, port)| port),
            gen_ai.response.id = Empty,
            gen_ai.response.finish_reasons = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.usage.cache_read.input_tokens = Empty,
            gen_ai.usage.reasoning.output_tokens = Empty,
            error.type = Empty,
        );
        Self { span }
    }

    /// Runs the request within the span. One that is given up leaves the span without an ending.
    pub(super) async fn around(
        self,
        request: impl Future<Output = Result<ModelResponse, ModelError>>,
    ) -> Result<ModelResponse, ModelError> {
        let answered = tracing::Instrument::instrument(request, self.span.clone()).await;
        match &answered {
            Ok(response) => {
                if let Some(id) = &response.id {
                    self.span.record("gen_ai.response.id", id.as_str());
                }
                self.span.record("gen_ai.response.finish_reasons", finish_reasons(response));
                let usage = &response.usage;
                self.span.record("gen_ai.usage.input_tokens", usage.input_tokens);
                self.span.record("gen_ai.usage.output_tokens", usage.output_tokens);
                self.span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_input_tokens);
                self.span.record("gen_ai.usage.reasoning.output_tokens", usage.reasoning_tokens);
            }
            Err(error) => fail(&self.span, Some(class_of(error))),
        }
        answered
    }
}

#[cfg(feature = "tracing")]
fn fail(span: &tracing::Span, class: Option<&str>) {
    if let Some(class) = class {
        span.record("error.type", class);
        span.record("otel.status_code", "ERROR");
    }
}

/// The list of the one reason, as JSON: fields of spans hold no lists.
#[cfg(feature = "tracing")]
fn finish_reasons(response: &ModelResponse) -> &'static str {
    use crate::model::StopReason;

    match &response.stop {
        StopReason::Finished if response.calls().next().is_some() => r#"["tool_call"]"#,
        StopReason::Finished | StopReason::Paused => r#"["stop"]"#,
        StopReason::OutputLimit => r#"["length"]"#,
        StopReason::Filtered => r#"["content_filter"]"#,
        StopReason::MalformedCall(_) | StopReason::Other(_) => r#"["error"]"#,
    }
}

/// The provider's code, where it is one, or else the kind of the error: never a sentence.
#[cfg(feature = "tracing")]
fn class_of(error: &ModelError) -> &str {
    use crate::model::ModelErrorKind;

    const LONGEST: usize = 64;
    let is_code = |code: &&str| {
        code.len() <= LONGEST
            && code.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    error.code.as_deref().filter(is_code).unwrap_or(match error.kind {
        ModelErrorKind::Request => "request",
        ModelErrorKind::Response => "response",
        ModelErrorKind::Provider => "provider",
    })
}

#[cfg(not(feature = "tracing"))]
impl TurnSpan {
    pub(super) fn open(_: &ModelInfo<'_>) -> Self {
        Self {}
    }

    pub(super) async fn around(
        self,
        turn: impl Future<Output = Result<Outcome, TurnError>>,
    ) -> Result<Outcome, TurnError> {
        turn.await
    }
}

#[cfg(not(feature = "tracing"))]
impl RequestSpan {
    pub(super) fn open(_: &ModelInfo<'_>, _: &ModelRequest<'_>) -> Self {
        Self {}
    }

    pub(super) async fn around(
        self,
        request: impl Future<Output = Result<ModelResponse, ModelError>>,
    ) -> Result<ModelResponse, ModelError> {
        request.await
    }
}
