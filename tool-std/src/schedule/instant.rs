//! Instants as a model writes them.

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;

use super::error::ScheduleError;
use super::zone::{Zone, cut};

/// Reads `text`, the value of `field`: an instant with its distance from UTC, or a local time in `zone`. What is below a
/// millisecond is dropped.
///
/// # Errors
///
/// When it is neither; names the field.
pub(super) fn read(field: &str, text: &str, zone: &Zone) -> Result<Timestamp, ScheduleError> {
    let wrong = |why: &str| {
        ScheduleError::invalid(format!(
            "`{field}` is `{}`, {why}; write an instant as `2027-03-01T09:00:00Z` or `2027-03-01T09:00:00+01:00`, or a local \
             time as `2027-03-01T09:00` with `timezone`",
            cut(text)
        ))
    };
    let pieces = Pieces::parse(text.trim()).map_err(|_| wrong("which is no time in ISO 8601"))?;
    let Some(time) = pieces.time() else {
        return Err(wrong("which has no time of day"));
    };
    if pieces.time_zone_annotation().is_some() {
        return Err(wrong("which has a time zone in brackets"));
    }
    let local = pieces.date().to_datetime(time);
    let instant = match pieces.to_numeric_offset() {
        Some(offset) => {
            offset.to_timestamp(local).map_err(|_| wrong("which lies outside of the calendar"))?
        }
        None => zone.instant(local).map_err(|_| wrong("which lies outside of the calendar"))?,
    };
    Timestamp::from_millisecond(instant.as_millisecond())
        .map_err(|_| wrong("which lies outside of the calendar"))
}
