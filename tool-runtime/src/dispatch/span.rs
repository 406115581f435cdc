//! The span of a call, by OpenTelemetry's conventions for generative AI, through `tracing` and only with the feature of that
//! name. It covers the work of the tool; what was never started has none.

use crate::call::{CallError, ToolCall};
use crate::output::CallOutput;
#[cfg(feature = "tracing")]
use crate::output::Content;
use crate::spec::ToolSpec;

/// Whether spans hold what the model wrote and what the tool gave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Recorded,
    LeftOut,
}

/// The span of a call that starts.
pub(super) struct CallSpan {
    #[cfg(feature = "tracing")]
    span: tracing::Span,
    #[cfg(feature = "tracing")]
    values: Values,
}

#[cfg(feature = "tracing")]
impl CallSpan {
    pub(super) fn open(call: &ToolCall, spec: &ToolSpec, arguments: &str, values: Values) -> Self {
        use tracing::field::Empty;

        let name = spec.display_name();
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = format!("execute_tool {name}"),
            otel.kind = "internal",
            otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = &*name,
            gen_ai.tool.call.id = call.id,
            gen_ai.tool.description = &*spec.description,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.arguments = Empty,
            gen_ai.tool.call.result = Empty,
            error.type = Empty,
        );
        if values == Values::Recorded {
            span.record("gen_ai.tool.call.arguments", arguments);
        }
        Self { span, values }
    }

    /// Runs `work` within the span.
    pub(super) fn around<T>(&self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        tracing::Instrument::instrument(work, self.span.clone())
    }

    pub(super) fn close(self, outcome: &Result<CallOutput, CallError>) {
        if let Err(error) = outcome {
            self.span.record("error.type", error.kind());
            self.span.record("otel.status_code", "ERROR");
        }
        if self.values == Values::Recorded && !self.span.is_disabled() {
            let text = match outcome {
                Ok(output) => output.for_model().iter().map(Content::describe).collect(),
                Err(error) => error.to_string(),
            };
            self.span.record("gen_ai.tool.call.result", text);
        }
    }
}

#[cfg(not(feature = "tracing"))]
impl CallSpan {
    pub(super) fn open(_: &ToolCall, _: &ToolSpec, _: &str, _: Values) -> Self {
        Self {}
    }

    pub(super) fn around<W>(&self, work: W) -> W {
        work
    }

    pub(super) fn close(self, _: &Result<CallOutput, CallError>) {}
}

/// Work for a task of its own, which stands in the span in which it was made.
pub(super) fn in_current<F: Future>(work: F) -> impl Future<Output = F::Output> {
    #[cfg(feature = "tracing")]
    let work = tracing::Instrument::in_current_span(work);
    work
}
