//! A failure as providers report it.

use serde_json::Value;

use crate::model::ModelError;

/// The failure that `error` tells: a sentence, or an object with `message`, `code` and `type`. `otherwise` is said where
/// there is no message.
pub(crate) fn reported(error: &Value, otherwise: impl FnOnce() -> String) -> ModelError {
    let text = |key: &str| error.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let message = error.as_str().or_else(|| text("message")).map_or_else(otherwise, str::to_owned);
    let number = || error.get("code").and_then(Value::as_u64).map(|code| code.to_string());
    let code = text("code").map(str::to_owned).or_else(number).or_else(|| text("type").map(str::to_owned));
    let heals = code.as_deref().is_some_and(heals_by_itself);
    let failure = ModelError::provider(message, heals);
    match code {
        Some(code) => failure.with_code(code),
        None => failure,
    }
}

/// Whether asking again may help. Codes that are not known here are taken for lasting ones.
fn heals_by_itself(code: &str) -> bool {
    let is_passing_status = |status: u16| matches!(status, 408 | 409 | 429) || (500..600).contains(&status);
    code.parse().is_ok_and(is_passing_status)
        || matches!(
            code,
            "server_error"
                | "api_error"
                | "timeout_error"
                | "rate_limit_exceeded"
                | "rate_limit_error"
                | "vector_store_timeout"
                | "overloaded_error"
                | "service_unavailable"
                | "timeout"
        )
}
