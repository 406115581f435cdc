//! Ten years of ticks in zones whose clocks are changed, beside what Python makes of them.
//!
//! `ticks/ticks.json` is written by `ticks/generate.py`, which tells how to run it.

use std::thread;

use jiff::{Timestamp, ToSpan};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tool_std::schedule::{CronSchedule, Rule, Zone};

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

/// What Python found for a rule.
#[derive(Deserialize)]
struct Case {
    zone: String,
    expression: String,
    from: Time,
    to: Time,
    count: usize,
    sha256: String,
    /// Ticks that `croniter` has not, walking in the zone itself.
    only_here: Vec<Time>,
    /// Ticks that only it has.
    only_croniter: Vec<Time>,
}

/// A time of the fixture.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Time(Timestamp);

impl TryFrom<String> for Time {
    type Error = jiff::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

fn cases() -> Vec<Case> {
    let fixture: Fixture = serde_json::from_str(include_str!("ticks/ticks.json")).unwrap();
    fixture.cases
}

fn rule(zone: &str, expression: &str) -> Rule {
    let schedule = CronSchedule { expression: Some(expression.to_owned()), ..CronSchedule::default() };
    Rule::read(&schedule, Timestamp::UNIX_EPOCH, &Zone::named(zone).unwrap()).unwrap()
}

/// All ticks of a case, each found from the one before.
fn ticks(case: &Case) -> Vec<Timestamp> {
    let rule = rule(&case.zone, &case.expression);
    let next = |at: &Timestamp| rule.next_after(*at);
    let ticks = std::iter::successors(next(&case.from.0), next);
    ticks.take_while(|tick| *tick <= case.to.0).collect()
}

fn check(case: &Case) {
    let name = format!("{} {}", case.zone, case.expression);
    let ticks = ticks(case);
    for other in &case.only_here {
        assert!(ticks.binary_search(&other.0).is_ok(), "{name}: {} is a tick", other.0);
    }
    for other in &case.only_croniter {
        assert!(ticks.binary_search(&other.0).is_err(), "{name}: {} is no tick", other.0);
    }
    assert_eq!(ticks.len(), case.count, "{name}");
    let seconds: Vec<_> = ticks.iter().map(|tick| tick.as_second().to_string()).collect();
    let hash: String = Sha256::digest(seconds.join("\n")).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, case.sha256, "{name}: the ticks are others");
}

#[test]
fn ten_years_of_ticks_are_those_of_an_independent_implementation() {
    let cases = cases();
    assert!(cases.len() > 150, "the fixture is whole");
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for part in cases.chunks(cases.len().div_ceil(threads)) {
            scope.spawn(move || part.iter().for_each(check));
        }
    });
}

/// Where `croniter` decides otherwise, a clock was changed within a day: nothing else is different.
#[test]
fn all_differences_stand_at_changes_of_the_clock() {
    let mut seen = 0;
    for case in cases() {
        let zone = jiff::tz::TimeZoneDatabase::bundled().get(&case.zone).unwrap();
        for tick in case.only_here.iter().chain(&case.only_croniter) {
            let offset = |at: Timestamp| zone.to_offset(at);
            let (before, behind) = (tick.0 - 25.hours(), tick.0 + 25.hours());
            assert_ne!(offset(before), offset(behind), "{} {}: {}", case.zone, case.expression, tick.0);
            seen += 1;
        }
    }
    assert!(seen > 100, "there are differences to look at");
}

/// A rule of one time of day, and one that goes by the clock, on the days of both changes.
#[test]
fn skipped_and_repeated_times_have_one_reading() {
    let around = |zone: &str, expression: &str, from: &str, count: usize| -> Vec<String> {
        let rule = rule(zone, expression);
        let from: Timestamp = from.parse().unwrap();
        let ticks = std::iter::successors(rule.next_after(from), |at| rule.next_after(*at));
        ticks.take(count).map(|tick| tick.to_string()).collect()
    };
    // 02:00 to 03:00 is skipped on 29 March: 02:30 becomes 03:00.
    assert_eq!(
        around("Europe/Berlin", "30 2 * * *", "2026-03-28T12:00:00Z", 2),
        ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]
    );
    // It is repeated on 25 October: the first counts.
    assert_eq!(
        around("Europe/Berlin", "30 2 * * *", "2026-10-24T12:00:00Z", 2),
        ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    );
    // By the clock: left out, and twice.
    assert_eq!(
        around("Europe/Berlin", "30 2,3 * * *", "2026-03-28T12:00:00Z", 2),
        ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]
    );
    assert_eq!(
        around("Europe/Berlin", "30 2,3 * * *", "2026-10-24T12:00:00Z", 3),
        ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"]
    );
    // Half an hour is skipped: 02:15 becomes 02:30.
    assert_eq!(
        around("Australia/Lord_Howe", "15 2 * * *", "2026-10-03T12:00:00Z", 1),
        ["2026-10-03T15:30:00Z"]
    );
    // A whole day is skipped, and its 09:00 becomes the next midnight.
    assert_eq!(
        around("Pacific/Apia", "0 9 * * *", "2011-12-29T12:00:00Z", 2),
        ["2011-12-29T19:00:00Z", "2011-12-30T10:00:00Z"]
    );
}
