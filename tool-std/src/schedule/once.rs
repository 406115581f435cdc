//! When a single event is due.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::ScheduleError;
use super::instant;
use super::rule::in_field;
use super::zone::Zone;

/// The shortest time from now, in milliseconds.
const MIN_DELAY_MS: i64 = 1_000;
/// The longest: 366 days.
pub(super) const HORIZON_MS: i64 = 366 * 86_400_000;

/// When something is due once, as a model writes it: `after` or `at`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OnceSchedule {
    /// A time from now. Not beside `at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
    /// A time: an instant as `2027-03-01T09:00:00Z`, or a local time as `2027-03-01T09:00`.
    #[schemars(length(min = 1, max = 64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The IANA time zone of a local time, as `Europe/Berlin`; times are shown in it. Left out, it is that of the system.
    #[schemars(length(min = 1, max = 64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
}

/// A span from now. A day has 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct After {
    /// How many of the unit.
    #[schemars(range(min = 1))]
    pub value: i64,
    /// The unit.
    pub unit: Unit,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A thousandth of a second.
    Millisecond,
    /// A second.
    Second,
    /// 60 seconds.
    Minute,
    /// 60 minutes.
    Hour,
    /// 24 hours.
    Day,
    /// 7 days.
    Week,
}

impl Unit {
    fn milliseconds(self) -> i64 {
        match self {
            Self::Millisecond => 1,
            Self::Second => 1_000,
            Self::Minute => 60_000,
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
            Self::Week => 604_800_000,
        }
    }
}

impl After {
    /// The span in milliseconds, if it is one that can be counted.
    pub(super) fn milliseconds(self) -> Option<i64> {
        self.value.checked_mul(self.unit.milliseconds())
    }
}

impl OnceSchedule {
    /// The instant that is meant, and the zone in which it is shown. `zone` is that of a schedule without one.
    ///
    /// # Errors
    ///
    /// When a field makes no sense, or the instant is not at least a second and at most 366 days from `now`; names the field.
    pub fn due(&self, now: Timestamp, zone: &Zone) -> Result<(Timestamp, Zone), ScheduleError> {
        let zone = match &self.timezone {
            Some(name) => in_field("schedule.timezone", Zone::named(name))?,
            None => zone.clone(),
        };
        let (delay, field) = match (&self.after, &self.at) {
            (Some(after), None) => (after.milliseconds(), "schedule.after"),
            (None, Some(text)) => {
                let at = instant::read("schedule.at", text, &zone)?;
                (at.as_millisecond().checked_sub(now.as_millisecond()), "schedule.at")
            }
            (Some(_), Some(_)) => {
                return Err(ScheduleError::invalid(
                    "`schedule.after` and `schedule.at` are two times; give one of them",
                ));
            }
            (None, None) => {
                return Err(ScheduleError::invalid(
                    "`schedule` has neither `after` nor `at`; give one of them, as `{\"after\": {\"value\": 2, \"unit\": \"hour\"}}`",
                ));
            }
        };
        let out_of_bounds = |what: &str| {
            let now = zone.show(now);
            ScheduleError::invalid(format!(
                "`{field}` is {what}; give a time at least 1 second and at most 366 days from now, which is {now}"
            ))
        };
        match delay {
            Some(delay) if delay < 0 => Err(out_of_bounds("in the past")),
            Some(delay) if delay < MIN_DELAY_MS => Err(out_of_bounds("less than a second from now")),
            Some(delay) if delay <= HORIZON_MS => {
                let due = now.as_millisecond().checked_add(delay).map(Timestamp::from_millisecond);
                due.and_then(Result::ok)
                    .map(|due| (due, zone.clone()))
                    .ok_or_else(|| out_of_bounds("beyond the calendar"))
            }
            _ => Err(out_of_bounds("more than 366 days from now")),
        }
    }
}
