//! Time zones by their IANA names, from a database within the program: the same ticks on every machine that runs it.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};

use super::error::ScheduleError;

/// How alike a name must be to be offered for another, from 0 to 1 (Jaro-Winkler).
const NEAR: f64 = 0.8;

/// A time zone by its IANA name.
///
/// A local time has one reading in a zone: one that the clock skips means the first moment after the skipped time, and one
/// that it repeats means the first of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    rules: TimeZone,
    name: String,
}

impl Zone {
    /// The zone `name`, as `Europe/Berlin`. Upper and lower case do not matter.
    ///
    /// # Errors
    ///
    /// When there is no such zone; offers names that are like it.
    pub fn named(name: &str) -> Result<Self, ScheduleError> {
        Self::find(name).ok_or_else(|| {
            let near = near(name);
            let way = if near.is_empty() {
                "write one as `Europe/Berlin` or `UTC`".to_owned()
            } else {
                format!("did you mean {near}?")
            };
            ScheduleError::invalid(format!("`{}` is no IANA time zone; {way}", cut(name)))
        })
    }

    /// Coordinated universal time.
    #[must_use]
    pub fn utc() -> Self {
        Self { rules: TimeZone::UTC, name: "UTC".to_owned() }
    }

    /// The zone of this machine; [`utc`](Self::utc) where it has none with a name.
    #[must_use]
    pub fn system() -> Self {
        let system = TimeZone::try_system().ok();
        system.as_ref().and_then(TimeZone::iana_name).and_then(Self::find).unwrap_or_else(Self::utc)
    }

    fn find(name: &str) -> Option<Self> {
        let rules = TimeZoneDatabase::bundled().get(name.trim()).ok().filter(|zone| !zone.is_unknown())?;
        let name = rules.iana_name()?.to_owned();
        Some(Self { rules, name })
    }

    /// The name, as the database writes it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The instant that `local` means here.
    ///
    /// # Errors
    ///
    /// When it lies outside the years from -9999 to 9999.
    pub fn instant(&self, local: DateTime) -> Result<Timestamp, ScheduleError> {
        let outside = |_| ScheduleError::invalid(format!("`{local}` lies outside of the calendar"));
        match self.rules.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
                offset.to_timestamp(local).map_err(outside)
            }
            AmbiguousOffset::Gap { after, .. } => {
                // With the later offset a skipped time falls before the clock changes.
                let before = after.to_timestamp(local).map_err(outside)?;
                Ok(self.rules.following(before).next().map_or(before, |change| change.timestamp()))
            }
        }
    }

    /// The local time of an instant.
    pub(super) fn local(&self, instant: Timestamp) -> Zoned {
        instant.to_zoned(self.rules.clone())
    }

    /// An instant as text: the local time with its distance from UTC, as `2026-07-01T10:00:00+02:00`.
    pub(super) fn show(&self, instant: Timestamp) -> String {
        let local = self.local(instant);
        instant.display_with_offset(local.offset()).to_string()
    }
}

/// Names that are like `name`, in words.
fn near(name: &str) -> String {
    let wanted = name.trim().to_lowercase();
    let mut found: Vec<(f64, String)> = TimeZoneDatabase::bundled()
        .available()
        .map(|known| {
            let known = known.to_string();
            let lower = known.to_lowercase();
            // A city alone is what is left out most often.
            let city = lower.rsplit('/').next().unwrap_or(&lower);
            (strsim::jaro_winkler(&wanted, &lower).max(strsim::jaro_winkler(&wanted, city)), known)
        })
        .filter(|(alike, _)| *alike >= NEAR)
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let names: Vec<_> = found.iter().take(3).map(|(_, name)| format!("`{name}`")).collect();
    names.join(", ")
}

/// A text of the model as an error shows it.
pub(super) fn cut(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
