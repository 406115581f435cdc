//! Log events of a turn, through `tracing` and only with the feature of that name: what ran, how long, and how it ended. Never
//! arguments, outputs, messages, or names that a model made up.

use crate::call::{ToolCall, ToolResult};
use crate::model::ModelError;
use crate::spec::ToolSpec;

use super::outcome::Ending;

/// A call starts.
pub(super) fn started(call: &ToolCall, spec: &ToolSpec) {
    #[cfg(feature = "tracing")]
    tracing::info!(
        call_id = call.id,
        tool = %spec.display_name(),
        mode = ?spec.execution_mode,
        read_only = spec.read_only,
        destructive = spec.is_destructive(),
        "tool call started"
    );
    #[cfg(not(feature = "tracing"))]
    let _ = (call, spec);
}

/// A call that had started is done.
pub(super) fn finished(result: &ToolResult) {
    #[cfg(feature = "tracing")]
    {
        let call_id = result.call.id.as_str();
        let ms = u64::try_from(result.elapsed.as_millis()).unwrap_or(u64::MAX);
        let bytes = result.model_text().len();
        let repairs = result.repairs.len();
        match &result.outcome {
            Ok(output) => {
                let ends_turn = output.ends_turn;
                tracing::info!(call_id, ms, bytes, repairs, ends_turn, "tool call completed");
            }
            Err(error) => {
                tracing::warn!(call_id, ms, bytes, repairs, error = error.kind(), "tool call failed");
            }
        }
    }
    #[cfg(not(feature = "tracing"))]
    let _ = result;
}

/// A call was answered without having started, or without having come back.
pub(super) fn rejected(result: &ToolResult) {
    #[cfg(feature = "tracing")]
    if let Err(error) = &result.outcome {
        tracing::warn!(call_id = result.call.id, class = error.kind(), "tool call rejected");
    }
    #[cfg(not(feature = "tracing"))]
    let _ = result;
}

/// The model is asked again.
pub(super) fn retried(attempt: u32, error: &ModelError) {
    #[cfg(feature = "tracing")]
    tracing::warn!(attempt, kind = ?error.kind, code = error.code, "model call retried");
    #[cfg(not(feature = "tracing"))]
    let _ = (attempt, error);
}

/// The turn is over.
pub(super) fn ended(ending: &Ending, iterations: u32) {
    #[cfg(feature = "tracing")]
    tracing::info!(ending = ending.kind(), iterations, "turn ended");
    #[cfg(not(feature = "tracing"))]
    let _ = (ending, iterations);
}
