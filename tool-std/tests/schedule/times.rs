//! Times as a model writes them: what is read, what is refused and how.

use jiff::Timestamp;
use proptest::prelude::*;
use tool_std::schedule::{After, CronSchedule, Occurrences, OnceSchedule, Rule, Unit, Zone};

fn now() -> Timestamp {
    "2026-03-28T12:00:00Z".parse().unwrap()
}

fn berlin() -> Zone {
    Zone::named("Europe/Berlin").unwrap()
}

fn at(text: &str) -> Result<String, String> {
    due(&OnceSchedule { at: Some(text.to_owned()), ..OnceSchedule::default() })
}

fn after(value: i64, unit: Unit) -> Result<String, String> {
    due(&OnceSchedule { after: Some(After { value, unit }), ..OnceSchedule::default() })
}

fn due(schedule: &OnceSchedule) -> Result<String, String> {
    schedule.due(now(), &berlin()).map(|(due, _)| due.to_string()).map_err(|error| error.to_string())
}

fn rule(schedule: &CronSchedule) -> Result<Rule, String> {
    Rule::read(schedule, now(), &berlin()).map_err(|error| error.to_string())
}

fn expression(text: &str) -> CronSchedule {
    CronSchedule { expression: Some(text.to_owned()), ..CronSchedule::default() }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(outcome: Result<T, String>, words: &[&str]) {
    let error = outcome.unwrap_err();
    for word in words {
        assert!(error.contains(word), "{word:?} is not in {error:?}");
    }
}

#[test]
fn an_instant_or_a_local_time() {
    assert_eq!(at("2026-03-29T10:00:00Z").unwrap(), "2026-03-29T10:00:00Z");
    assert_eq!(at("2026-03-29T10:00:00+05:45").unwrap(), "2026-03-29T04:15:00Z");
    assert_eq!(at(" 2026-04-01T09:00 ").unwrap(), "2026-04-01T07:00:00Z");
    assert_eq!(at("2026-04-01 09:00:00.250").unwrap(), "2026-04-01T07:00:00.25Z");
    // Skipped, and repeated.
    assert_eq!(at("2026-03-29T02:30").unwrap(), "2026-03-29T01:00:00Z");
    assert_eq!(at("2026-10-25T02:30").unwrap(), "2026-10-25T00:30:00Z");
    let tokyo = OnceSchedule {
        at: Some("2026-04-01T09:00".to_owned()),
        timezone: Some("asia/tokyo".to_owned()),
        ..OnceSchedule::default()
    };
    let (due, zone) = tokyo.due(now(), &berlin()).unwrap();
    assert_eq!((due.to_string().as_str(), zone.name()), ("2026-04-01T00:00:00Z", "Asia/Tokyo"));
}

#[test]
fn a_span_from_now_counts_hours_and_not_the_clock() {
    assert_eq!(after(1, Unit::Second).unwrap(), "2026-03-28T12:00:01Z");
    assert_eq!(after(1_500, Unit::Millisecond).unwrap(), "2026-03-28T12:00:01.5Z");
    assert_eq!(after(1, Unit::Day).unwrap(), "2026-03-29T12:00:00Z");
    assert_eq!(after(52, Unit::Week).unwrap(), "2027-03-27T12:00:00Z");
    assert_eq!(after(366, Unit::Day).unwrap(), "2027-03-29T12:00:00Z");
}

#[test]
fn a_single_time_lies_between_a_second_and_366_days_from_now() {
    let bounds = ["at least 1 second and at most 366 days from now, which is 2026-03-28T13:00:00+01:00"];
    refused(after(999, Unit::Millisecond), &["`schedule.after` is less than a second from now", bounds[0]]);
    refused(after(0, Unit::Hour), &["`schedule.after` is less than a second"]);
    refused(after(-1, Unit::Hour), &["`schedule.after` is in the past"]);
    refused(after(367, Unit::Day), &["`schedule.after` is more than 366 days", bounds[0]]);
    refused(after(i64::MAX, Unit::Week), &["more than 366 days"]);
    refused(at("2026-03-28T11:59:59Z"), &["`schedule.at` is in the past", bounds[0]]);
    refused(at("2027-03-29T12:00:01Z"), &["`schedule.at` is more than 366 days"]);
}

#[test]
fn a_time_that_is_none_is_told_with_one_that_is() {
    for text in [
        "tomorrow",
        "2026-03-29",
        "10:00",
        "2026-13-01T00:00Z",
        "2026-04-01T09:00[Europe/Berlin]",
        "",
        "\u{0}",
    ] {
        refused(
            at(text),
            &["`schedule.at` is `", "write an instant as `2027-03-01T09:00:00Z`", "with `timezone`"],
        );
    }
    let long = at(&"9".repeat(10_000)).unwrap_err();
    assert!(long.len() < 500, "{long}");
    refused(due(&OnceSchedule::default()), &["`schedule` has neither `after` nor `at`"]);
    let both = OnceSchedule {
        after: Some(After { value: 1, unit: Unit::Hour }),
        at: Some("2026-04-01T09:00".to_owned()),
        timezone: None,
    };
    refused(due(&both), &["`schedule.after` and `schedule.at` are two times; give one"]);
    let zone = |name: &str| OnceSchedule { timezone: Some(name.to_owned()), ..both.clone() };
    refused(
        due(&zone("Berlin")),
        &["`schedule.timezone`: `Berlin` is no IANA time zone; did you mean `Europe/Berlin`"],
    );
    refused(
        due(&zone("+02:00")),
        &["`schedule.timezone`: `+02:00` is no IANA time zone; write one as `Europe/Berlin`"],
    );
}

#[test]
fn a_rule_of_elapsed_time_counts_from_its_anchor() {
    let hourly = CronSchedule { every_ms: Some(3_600_000), ..CronSchedule::default() };
    let next = |schedule: &CronSchedule, from: &str| {
        let next = rule(schedule).unwrap().next_after(from.parse().unwrap());
        next.map(|at| at.to_string())
    };
    assert_eq!(next(&hourly, "2026-03-28T12:00:00Z").unwrap(), "2026-03-28T13:00:00Z", "the anchor is now");
    assert_eq!(next(&hourly, "2026-03-28T12:59:59.999Z").unwrap(), "2026-03-28T13:00:00Z");
    let anchored = CronSchedule { anchor_at: Some("2026-03-30T09:15".to_owned()), ..hourly };
    assert_eq!(
        next(&anchored, "2026-03-28T12:00:00Z").unwrap(),
        "2026-03-28T12:15:00Z",
        "before the anchor too"
    );
    assert_eq!(next(&anchored, "2026-03-28T12:15:00Z").unwrap(), "2026-03-28T13:15:00Z");
    // Nothing is lost beyond the calendar.
    assert_eq!(rule(&anchored).unwrap().next_after(Timestamp::MAX), None);
    for every_ms in [0, -1, 999, 31_622_400_001, i64::MAX] {
        let schedule = CronSchedule { every_ms: Some(every_ms), ..CronSchedule::default() };
        refused(
            rule(&schedule),
            &["`schedule.every_ms` is ", "give 1000 (a second) to 31622400000 (366 days)"],
        );
    }
}

#[test]
fn an_expression_that_is_none_is_told_with_one_that_is() {
    for text in [
        "",
        "@daily",
        "* * * *",
        "61 * * * *",
        "0 9 * * FOO",
        "0 0 0 * * * 2030",
        "*/0 * * * *",
        "5-1 * * * *",
    ] {
        refused(rule(&expression(text)), &["`schedule.expression` is `", "as `0 9 * * MON-FRI`"]);
    }
    refused(rule(&expression("@daily")), &["whose number of fields is 1 and not 5 or 6"]);
    let with_anchor =
        CronSchedule { anchor_at: Some("2026-04-01T09:00".to_owned()), ..expression("0 9 * * *") };
    refused(rule(&with_anchor), &["`schedule.anchor_at` goes with `schedule.every_ms`"]);
    let both = CronSchedule { every_ms: Some(1_000), ..expression("0 9 * * *") };
    refused(rule(&both), &["`schedule.every_ms` and `schedule.expression` are two rules"]);
    refused(rule(&CronSchedule::default()), &["`schedule` has neither `every_ms` nor `expression`"]);
}

#[test]
fn expressions_may_have_seconds_names_last_days_and_nth_weekdays() {
    let next = |text: &str| rule(&expression(text)).unwrap().next_after(now()).unwrap().to_string();
    assert_eq!(next("15 30 13 * * *"), "2026-03-28T12:30:15Z");
    assert_eq!(next("0 9 * * mon-fri"), "2026-03-30T07:00:00Z");
    assert_eq!(next("0 0 L * *"), "2026-03-30T22:00:00Z");
    assert_eq!(next("0 0 * * 5#2"), "2026-04-09T22:00:00Z");
    assert_eq!(next("0 0 29 2 *"), "2028-02-28T23:00:00Z");
    // Never: the search comes to an end.
    assert_eq!(rule(&expression("0 0 31 2 *")).unwrap().next_after(now()), None);
}

#[test]
fn a_rule_ends_by_count_or_by_time() {
    let bound = |occurrences| CronSchedule { occurrences: Some(occurrences), ..expression("0 9 * * *") };
    let until = |text: &str| bound(Occurrences { count: None, until: Some(text.to_owned()) });
    let ticks = |schedule: &CronSchedule| {
        let rule = rule(schedule).unwrap();
        std::iter::successors(rule.next_after(now()), |at| rule.next_after(*at)).take(10).count()
    };
    assert_eq!(ticks(&until("2026-03-31T09:00")), 3, "the last moment counts");
    assert_eq!(ticks(&until("2026-03-31T08:59:59")), 2);
    assert_eq!(ticks(&until("2020-01-01T00:00Z")), 0);
    let count = bound(Occurrences { count: Some(3), until: None });
    assert_eq!(rule(&count).unwrap().count(), Some(3));
    let one = "`schedule.occurrences` takes exactly one of `count` and `until`";
    refused(rule(&bound(Occurrences::default())), &[one]);
    refused(rule(&bound(Occurrences { count: Some(1), until: Some("2026-03-31T09:00".to_owned()) })), &[one]);
    refused(rule(&until("later")), &["`schedule.occurrences.until` is `later`"]);
}

#[test]
fn a_rule_is_kept_with_everything_that_was_left_out() {
    let kept = rule(&CronSchedule { every_ms: Some(60_000), ..CronSchedule::default() }).unwrap().schedule();
    assert_eq!(kept.anchor_at.as_deref(), Some("2026-03-28T12:00:00Z"));
    assert_eq!(kept.timezone.as_deref(), Some("Europe/Berlin"));
    let elsewhere = Rule::read(&kept, Timestamp::MAX, &Zone::utc()).unwrap();
    assert_eq!(elsewhere.schedule(), kept);
    assert_eq!(elsewhere.in_words(), "every 1 minute");
    assert_eq!(rule(&expression("0  9 * *  *")).unwrap().in_words(), "0 9 * * * (Europe/Berlin)");
}

/// Something like an expression.
fn any_expression() -> impl Strategy<Value = String> {
    let field = prop_oneof![
        Just("*".to_owned()),
        (0..70_u32).prop_map(|number| number.to_string()),
        (0..70_u32, 0..70_u32).prop_map(|(from, to)| format!("{from}-{to}")),
        (0..70_u32).prop_map(|step| format!("*/{step}")),
        "[0-9A-Z*/,#LW?+-]{1,6}",
        "\\PC{0,4}",
    ];
    proptest::collection::vec(field, 4..8).prop_map(|fields| fields.join(" "))
}

proptest! {
    #[test]
    fn any_expression_is_refused_or_rises(text in any_expression(), zone in prop_oneof![
        Just("Europe/Berlin"), Just("Australia/Lord_Howe"), Just("Pacific/Apia"), Just("America/Havana"),
    ]) {
        if let Ok(rule) = Rule::read(&expression(&text), now(), &Zone::named(zone).unwrap()) {
            let mut at = now();
            for _ in 0..20 {
                match rule.next_after(at) {
                    Some(next) => { prop_assert!(next > at, "{text}: {next} after {at}"); at = next; }
                    None => break,
                }
            }
        }
    }

    #[test]
    fn any_text_as_a_time_is_read_or_refused(text in "\\PC{0,40}|[0-9TZ:+.\\[\\]-]{0,40}") {
        let _ = at(&text);
    }
}
