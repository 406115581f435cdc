//! Asks the model for one response, again where that may help.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::event::{EventKind, Events};
use crate::model::{Delta, Model, ModelError, ModelRequest, ModelResponse};
use crate::spec::AllowedCallers;

use super::log;
use super::span::RequestSpan;

/// The wait before the second attempt; it doubles from one to the next.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// The response, or the error of the last attempt; `None` if the turn is cancelled first.
///
/// A failed request is repeated only if its error says that this may help, nothing of the answer was shown, and no program
/// of the model can have run.
pub(super) async fn ask(
    model: &dyn Model,
    request: ModelRequest<'_>,
    attempts: u32,
    events: &Events,
    cancel: &CancellationToken,
) -> Option<Result<ModelResponse, ModelError>> {
    let shown = AtomicBool::new(false);
    let on_delta = |delta: Delta| match delta {
        Delta::Text(text) => {
            shown.store(true, Ordering::Relaxed);
            events.emit(EventKind::Text(text));
        }
    };
    let programs =
        request.tools.tools().iter().any(|tool| tool.spec().allowed_callers != AllowedCallers::Direct);
    for attempt in 1.. {
        if cancel.is_cancelled() {
            return None;
        }
        let span = RequestSpan::open(&model.info(), &request);
        let asked = span.around(model.respond(request.clone(), &on_delta));
        let error = match cancel.run_until_cancelled(asked).await? {
            Ok(response) => return Some(Ok(response)),
            Err(error) => error,
        };
        if !error.retryable || programs || shown.load(Ordering::Relaxed) || attempt >= attempts {
            return Some(Err(error));
        }
        let wait = error.retry_after.unwrap_or_else(|| wait_before(attempt));
        log::retried(attempt + 1, &error);
        events.emit(EventKind::Retry { attempt: attempt + 1, wait, reason: error.to_string() });
        cancel.run_until_cancelled(tokio::time::sleep(wait)).await?;
    }
    None
}

/// Doubles from attempt to attempt, less up to a quarter, so that many clients do not come back at once.
fn wait_before(attempt: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(1_u32 << (attempt - 1).min(10)).min(LONGEST_WAIT);
    let quarter = u64::try_from(doubled.as_millis()).unwrap_or(u64::MAX) / 4;
    let less = RandomState::new().hash_one(attempt) % (quarter + 1);
    doubled.saturating_sub(Duration::from_millis(less))
}
