//! What the host is told when a schedule fires.

use std::error::Error;

use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use tool_runtime::BoxFuture;

use super::delivery::Delivery;
use super::zone::Zone;

/// What a turn answers when nothing shall be sent, if its schedule allows that.
pub const SILENT: &str = "[nothing to report]";

/// Why a wake-up could not be taken. Its words stand in the list of runs.
pub type WakeError = Box<dyn Error + Send + Sync>;

/// Takes what is due: the way from schedules to the host, which begins a turn or hands the wake-up on.
///
/// A wake-up comes **at least once**. It comes again when the process that delivered it ended before it could write that it
/// did; then it has the same [`key`](WakeUp::key), by which the host knows a repeat. An error is an attempt that failed: the
/// wake-up comes again, later each time, 10 times at most. While `wake` runs, no other process gets the wake-up.
pub trait Wake: Send + Sync {
    /// Takes a wake-up; when this returns `Ok`, it is over.
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>>;
}

/// Something that is due now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WakeUp {
    /// What repeats have in common: one key for each thing that was ever due.
    pub key: String,
    /// The agent whose schedule it is.
    pub agent: String,
    /// The conversation that the turn belongs to: the one that asked for a check-back, a rule's own for a rule.
    pub conversation: String,
    /// When it was due. Later than that after a time in which nothing ran: what was missed meanwhile fires once.
    #[serde(serialize_with = "as_text")]
    pub due: Timestamp,
    /// Which attempt this is, from 1 to 10.
    pub attempt: u32,
    /// Where the answer goes.
    pub delivery: Delivery,
    /// The automation job that takes it in place of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automation_job_id: Option<String>,
    /// What is due.
    #[serde(flatten)]
    pub occasion: Occasion,
    /// The zone in which its times are shown.
    pub(super) timezone: String,
}

/// What is due.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Occasion {
    /// A check-back that a turn asked for.
    CheckBack {
        /// Its number.
        checkback_id: i64,
        /// Why it was asked for.
        reason: String,
        /// What is to be looked at.
        check: String,
        /// What was known then.
        context_summary: Option<String>,
    },
    /// A recurring rule.
    Cron {
        /// The number of the rule.
        rule: i64,
        /// Its name.
        name: String,
        /// What it is to do: `task` is the instruction.
        payload: Map<String, Value>,
        /// Whether somebody asked for this run, beside the ticks of the rule.
        manual: bool,
    },
}

impl WakeUp {
    /// The message with which a turn can begin.
    #[must_use]
    pub fn prompt(&self) -> String {
        let zone = Zone::named(&self.timezone).unwrap_or_else(|_| Zone::utc());
        let due = zone.show(self.due);
        let mut prompt = match &self.occasion {
            Occasion::CheckBack { reason, check, context_summary, .. } => {
                let known = context_summary.as_ref().map(|known| format!("\n\nWhat was known then: {known}"));
                format!(
                    "You asked to check back; it was due at {due}.\n\nWhy: {reason}\n\nCheck: {check}{}",
                    known.unwrap_or_default()
                )
            }
            Occasion::Cron { name, payload, manual, .. } => {
                let occasion = if *manual { "was asked to run at" } else { "was due at" };
                let mut payload = payload.clone();
                let task = match payload.remove("task") {
                    Some(Value::String(task)) => format!("\n\nTask: {task}"),
                    _ => String::new(),
                };
                let rest = if payload.is_empty() {
                    String::new()
                } else {
                    format!("\n\nData: {}", Value::Object(payload))
                };
                format!("The scheduled rule `{name}` {occasion} {due}.{task}{rest}")
            }
        };
        if self.delivery.quiet_success {
            prompt += &format!(
                "\n\nIf all is well and nothing has changed, answer with exactly `{SILENT}`, and nothing is sent. Failures and \
                 changes are always told."
            );
        }
        prompt
    }

    /// Whether `answer` says that nothing shall be sent. Never so if the schedule does not allow it.
    #[must_use]
    pub fn is_silent(&self, answer: &str) -> bool {
        self.delivery.quiet_success && answer.trim() == SILENT
    }
}

fn as_text<S: Serializer>(instant: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(instant)
}
