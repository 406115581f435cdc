//! Cron expressions in a time zone.

use croner::parser::{CronParser, Seconds, Year};
use croner::{Cron, JobType};
use jiff::Timestamp;

use super::error::ScheduleError;
use super::zone::{Zone, cut};

/// A cron expression of 5 fields (minute, hour, day of month, month, day of week) or 6 (a second in front), in a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CronExpression {
    text: String,
    zone: Zone,
    pattern: Cron,
}

impl CronExpression {
    /// Reads `text`, the value of `field`.
    ///
    /// # Errors
    ///
    /// When it is no such expression; names the field.
    pub(super) fn read(field: &str, text: &str, zone: Zone) -> Result<Self, ScheduleError> {
        let wrong = |why: &str| {
            ScheduleError::invalid(format!(
                "`{field}` is `{}`, {why}; write minute, hour, day of month, month and day of week, as `0 9 * * MON-FRI`, or a \
                 second in front of them",
                cut(text)
            ))
        };
        let fields: Vec<&str> = text.split_whitespace().collect();
        if !matches!(fields.len(), 5 | 6) {
            return Err(wrong(&format!("whose number of fields is {} and not 5 or 6", fields.len())));
        }
        let text = fields.join(" ");
        let parser = CronParser::builder().seconds(Seconds::Optional).year(Year::Disallowed).build();
        let pattern = parser.parse(&text).map_err(|error| {
            wrong(&format!("which is no cron expression ({})", error.to_string().trim_end_matches('.')))
        })?;
        Ok(Self { text, zone, pattern })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The first instant after `reference` that it names; `None` if there is none.
    pub(super) fn next_after(&self, reference: Timestamp) -> Option<Timestamp> {
        let local = self.zone.local(reference);
        // An error is a search that came to the end of the calendar.
        if self.pattern.determine_job_type() == JobType::IntervalWildcard {
            return Some(self.pattern.find_next_occurrence(&local, false).ok()?.timestamp());
        }
        // A single time of day: searched for on a clock that is never changed, so that it is found in a gap of any length.
        let mut civil = local.datetime();
        loop {
            civil = self.pattern.find_next_occurrence(&civil, false).ok()?;
            let instant = self.zone.instant(civil).ok()?;
            // In the second of two equal hours, the first was before.
            if instant > reference {
                return Some(instant);
            }
        }
    }
}
