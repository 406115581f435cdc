//! When a recurring rule is due: functions of the rule and an instant, without a clock of their own.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cron_expression::CronExpression;
use super::error::ScheduleError;
use super::instant;
use super::interval::in_words;
use super::once::HORIZON_MS;
use super::zone::Zone;

/// The shortest time between two ticks of `every_ms`, in milliseconds.
const MIN_EVERY_MS: i64 = 1_000;

/// When a rule is due, as a model writes it: `every_ms` or `expression`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CronSchedule {
    /// Milliseconds from tick to tick, for a rule that goes by elapsed time. Not beside `expression`.
    #[schemars(range(min = 1_000, max = 31_622_400_000_i64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_ms: Option<i64>,
    /// With `every_ms`, a time that the ticks are counted from, as `2027-03-01T09:00:00Z`. Left out, it is now.
    #[schemars(length(max = 64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor_at: Option<String>,
    /// Minute, hour, day of month, month and day of week, as `0 9 * * MON-FRI`; a second may stand in front. For a rule that
    /// goes by the calendar.
    #[schemars(length(min = 1, max = 200))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The IANA time zone of local times and of `expression`, as `Europe/Berlin`. Left out, it is that of the system.
    #[schemars(length(min = 1, max = 64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// When the rule ends. Left out, it does not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Occurrences>,
}

/// When a rule ends: `count` or `until`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Occurrences {
    /// After so many ticks.
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The last time at which it may be due, as `2027-12-31T23:59:59Z` or a local time.
    #[schemars(length(max = 64))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// A recurring rule that makes sense.
///
/// A rule of `every_ms` is due at its anchor and at every multiple of the span before and behind it. A rule of `expression`
/// is due when the local time fits. Where the clock is changed, one that names a single time of day is due once on that day: at
/// the first moment after a skipped time, at the first of two equal times. Any other expression goes by the clock: times that
/// it skips are left out, and times that it repeats are due twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    rhythm: Rhythm,
    bound: Option<Bound>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rhythm {
    Every { milliseconds: i64, anchor: Timestamp, zone: Zone },
    Cron(Box<CronExpression>),
}

/// Where a rule ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Count(u32),
    /// The last instant at which it may be due.
    Until(Timestamp),
}

impl Rule {
    /// Reads a schedule. `now` is the anchor of `every_ms` if none is given, and `zone` that of a schedule without one.
    ///
    /// # Errors
    ///
    /// When a field makes no sense, or two do not go together; names them.
    pub fn read(schedule: &CronSchedule, now: Timestamp, zone: &Zone) -> Result<Self, ScheduleError> {
        let zone = match &schedule.timezone {
            Some(name) => in_field("schedule.timezone", Zone::named(name))?,
            None => zone.clone(),
        };
        let bound = schedule.occurrences.as_ref().map(|bound| Bound::read(bound, &zone)).transpose()?;
        let rhythm = match (schedule.every_ms, &schedule.expression) {
            (Some(milliseconds), None) => {
                Rhythm::every(milliseconds, schedule.anchor_at.as_deref(), now, zone)?
            }
            (None, Some(_)) if schedule.anchor_at.is_some() => {
                return Err(ScheduleError::invalid(
                    "`schedule.anchor_at` goes with `schedule.every_ms`; leave it out beside `schedule.expression`",
                ));
            }
            (None, Some(text)) => {
                Rhythm::Cron(Box::new(CronExpression::read("schedule.expression", text, zone)?))
            }
            (Some(_), Some(_)) => {
                return Err(ScheduleError::invalid(
                    "`schedule.every_ms` and `schedule.expression` are two rules; give one of them",
                ));
            }
            (None, None) => {
                return Err(ScheduleError::invalid(
                    "`schedule` has neither `every_ms` nor `expression`; give one of them, as `{\"expression\": \"0 9 * * *\"}`",
                ));
            }
        };
        Ok(Self { rhythm, bound })
    }

    /// The first instant after `reference` at which the rule is due; `None` if it has come to its end. How often it was due
    /// does not count here, see [`count`](Self::count).
    #[must_use]
    pub fn next_after(&self, reference: Timestamp) -> Option<Timestamp> {
        let next = match &self.rhythm {
            Rhythm::Every { milliseconds, anchor, .. } => tick_after(*milliseconds, *anchor, reference),
            Rhythm::Cron(expression) => expression.next_after(reference),
        }?;
        let is_over = matches!(self.bound, Some(Bound::Until(last)) if next > last);
        (!is_over).then_some(next)
    }

    /// How often the rule is due at most, if it is bound so.
    #[must_use]
    pub fn count(&self) -> Option<u32> {
        match self.bound {
            Some(Bound::Count(count)) => Some(count),
            _ => None,
        }
    }

    /// The zone in which its times are shown.
    #[must_use]
    pub fn zone(&self) -> &Zone {
        match &self.rhythm {
            Rhythm::Every { zone, .. } => zone,
            Rhythm::Cron(expression) => expression.zone(),
        }
    }

    /// The rule as it is kept: with everything that was left out.
    #[must_use]
    pub fn schedule(&self) -> CronSchedule {
        let zone = self.zone();
        let occurrences = self.bound.map(|bound| match bound {
            Bound::Count(count) => Occurrences { count: Some(count), until: None },
            Bound::Until(last) => Occurrences { count: None, until: Some(last.to_string()) },
        });
        let (every_ms, anchor_at, expression) = match &self.rhythm {
            Rhythm::Every { milliseconds, anchor, .. } => {
                (Some(*milliseconds), Some(anchor.to_string()), None)
            }
            Rhythm::Cron(expression) => (None, None, Some(expression.text().to_owned())),
        };
        CronSchedule { every_ms, anchor_at, expression, timezone: Some(zone.name().to_owned()), occurrences }
    }

    /// The rule in a few words, as `every 2 hours` or `0 9 * * * (Europe/Berlin)`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match &self.rhythm {
            Rhythm::Every { milliseconds, .. } => format!("every {}", in_words(*milliseconds)),
            Rhythm::Cron(expression) => format!("{} ({})", expression.text(), expression.zone().name()),
        }
    }
}

impl Rhythm {
    fn every(
        milliseconds: i64,
        anchor: Option<&str>,
        now: Timestamp,
        zone: Zone,
    ) -> Result<Self, ScheduleError> {
        if !(MIN_EVERY_MS..=HORIZON_MS).contains(&milliseconds) {
            return Err(ScheduleError::invalid(format!(
                "`schedule.every_ms` is {milliseconds}; give {MIN_EVERY_MS} (a second) to {HORIZON_MS} (366 days)"
            )));
        }
        let anchor = match anchor {
            Some(text) => instant::read("schedule.anchor_at", text, &zone)?,
            None => Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now),
        };
        Ok(Self::Every { milliseconds, anchor, zone })
    }
}

impl Bound {
    fn read(bound: &Occurrences, zone: &Zone) -> Result<Self, ScheduleError> {
        match (bound.count, &bound.until) {
            (Some(0), None) => Err(ScheduleError::invalid(
                "`schedule.occurrences.count` is 0; give how often the rule shall be due",
            )),
            (Some(count), None) => Ok(Self::Count(count)),
            (None, Some(text)) => Ok(Self::Until(instant::read("schedule.occurrences.until", text, zone)?)),
            _ => Err(ScheduleError::invalid(
                "`schedule.occurrences` takes exactly one of `count` and `until`; leave it out for a rule that does not end",
            )),
        }
    }
}

/// The first of the ticks of `anchor` that lies after `reference`.
fn tick_after(milliseconds: i64, anchor: Timestamp, reference: Timestamp) -> Option<Timestamp> {
    let anchor = anchor.as_millisecond();
    let elapsed = reference.as_millisecond().checked_sub(anchor)?;
    let ticks = elapsed.div_euclid(milliseconds).checked_add(1)?;
    Timestamp::from_millisecond(anchor.checked_add(ticks.checked_mul(milliseconds)?)?).ok()
}

/// An error about a value, told as one of `field`.
pub(super) fn in_field<T>(field: &str, value: Result<T, ScheduleError>) -> Result<T, ScheduleError> {
    value.map_err(|error| ScheduleError::invalid(format!("`{field}`: {error}")))
}
