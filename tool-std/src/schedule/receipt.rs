//! Receipts: what a person is shown of a schedule that was made or changed.

use serde_json::{Value, json};
use tool_runtime::PresentationEvent;

use super::interval::in_words;
use super::once::OnceSchedule;
use super::view::{CheckBack, CronRule};

/// The receipt of something that was done to a check-back: `done` is `created`, `updated` or `cancelled`. `asked` is the schedule
/// that was asked for; without it the scope is the instant.
pub(super) fn check_back(
    call_id: &str,
    done: &str,
    shown: &CheckBack,
    asked: Option<&OnceSchedule>,
) -> PresentationEvent {
    let span = asked.and_then(|asked| asked.after).and_then(|after| after.milliseconds());
    let scope = match span {
        Some(span) => json!({ "interval": in_words(span) }),
        None => json!({ "instant": shown.due_at, "timezone": shown.timezone }),
    };
    receipt(call_id, &format!("check_back.{done}"), &shown.reason, scope, shown.quiet_success)
}

/// The receipt of something that was done to a rule: `done` is `added`, `updated`, `paused`, `resumed`, `removed` or `run`.
pub(super) fn cron(call_id: &str, done: &str, shown: &CronRule) -> PresentationEvent {
    let scope = match (shown.schedule.every_ms, &shown.schedule.expression) {
        (Some(span), _) => json!({ "interval": in_words(span) }),
        (None, expression) => json!({ "expression": expression, "timezone": shown.schedule.timezone }),
    };
    receipt(call_id, &format!("cron.{done}"), &shown.name, scope, shown.quiet_success)
}

fn receipt(
    call_id: &str,
    summary: &str,
    target: &str,
    scope: Value,
    quiet_success: bool,
) -> PresentationEvent {
    let payload = json!({
        "operation_id": call_id,
        "phase": "confirmed",
        "summary": summary,
        "target": target,
        "scope": scope,
        "follow_up": if quiet_success { "when_needed" } else { "always" },
    });
    PresentationEvent::new("effect.receipt", payload)
}
