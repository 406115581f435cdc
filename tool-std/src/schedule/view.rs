//! Schedules as models and people see them: times as local texts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rule::CronSchedule;

/// How far something is that is due once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventState {
    /// It will fire.
    Scheduled,
    /// It is being delivered.
    Firing,
    /// It was delivered.
    Fired,
    /// It will not fire.
    Cancelled,
    /// It could not be delivered.
    Failed,
}

impl EventState {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Firing => "firing",
            Self::Fired => "fired",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::Scheduled, Self::Firing, Self::Fired, Self::Cancelled, Self::Failed];
        all.into_iter().find(|state| state.as_str() == name)
    }
}

/// How far a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleState {
    /// It fires when it is due.
    Active,
    /// It does not fire until it is resumed.
    Paused,
    /// It was removed.
    Deleted,
    /// It has come to its end.
    Completed,
}

impl RuleState {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Deleted => "deleted",
            Self::Completed => "completed",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::Active, Self::Paused, Self::Deleted, Self::Completed];
        all.into_iter().find(|state| state.as_str() == name)
    }
}

/// A check-back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckBack {
    /// Its number.
    pub checkback_id: i64,
    /// How far it is.
    pub state: EventState,
    /// When it is due, in its time zone.
    pub due_at: String,
    /// Its time zone.
    pub timezone: String,
    /// Why it was asked for.
    pub reason: String,
    /// What is to be looked at.
    pub check: String,
    /// What was known when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_summary: Option<String>,
    /// Whether nothing is sent when there is nothing to tell.
    pub quiet_success: bool,
    /// The automation job that takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automation_job_id: Option<String>,
    /// The one that it was made of by an update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaces: Option<i64>,
    /// The one that an update made of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<i64>,
    /// Why the last attempt to deliver it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A recurring rule.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CronRule {
    /// Its name.
    pub name: String,
    /// How far it is.
    pub state: RuleState,
    /// When it is due, with everything that was left out.
    pub schedule: CronSchedule,
    /// What it is to do.
    pub payload: Map<String, Value>,
    /// Whether nothing is sent when there is nothing to tell.
    pub quiet_success: bool,
    /// The automation job that takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automation_job_id: Option<String>,
    /// The conversation in which it fires: its own.
    pub conversation: String,
    /// How often it was due since its schedule was set.
    pub occurrences_spent: i64,
    /// When it is due next, in its time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_at: Option<String>,
    /// When it was made, in its time zone.
    pub created_at: String,
}

/// Something that a rule was due for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CronRun {
    /// Whether somebody asked for it, beside the ticks of the rule.
    pub manual: bool,
    /// How far it is.
    pub state: EventState,
    /// When it was due, in the rule's time zone.
    pub due_at: String,
    /// When it was over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<String>,
    /// How often it was tried to deliver it.
    pub attempts: i64,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
