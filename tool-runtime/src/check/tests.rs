//! The compiled checks against the general validator, on random schemas and values.

pub(crate) mod random;
mod schemas;

use jsonschema::{Draft, PatternOptions, Validator};
use proptest::prelude::*;
use serde_json::{Value, json};

use self::random::Random;
use super::{Checks, has_loose_integer};
use crate::json::Node;

fn general(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(schema)
        .unwrap()
}

/// Both ways of asking give what the general validator says.
#[track_caller]
fn agree(checks: &Checks, general: &Validator, schema: &Value, text: &str) {
    let node = Node::parse(text).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let expected = general.is_valid(&value);
    let problems = checks.problems(&node);
    assert_eq!(problems.is_empty(), expected, "{text} for {schema}: {problems:?}");
    let fits = checks.fits(text);
    // A loose integer may be sent the slow way; anything else is decided by the walk.
    assert!(fits == expected || (!fits && has_loose_integer(&node)), "{text} for {schema}: {fits}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn checks_agree_with_the_general_validator(seed: u64) {
        let mut random = Random::new(seed);
        let schema = random.root_schema();
        // A schema that refers to itself without end is refused here; the other side takes it.
        if let Ok(checks) = Checks::compile(&schema) {
            let general = general(&schema);
            for _ in 0..20 {
                let text = random.value_for(&schema, &schema, 4).to_string();
                agree(&checks, &general, &schema, &text);
            }
        }
    }

    #[test]
    fn no_text_panics(seed: u64, text in "\\PC{0,40}") {
        let mut random = Random::new(seed);
        let schema = random.root_schema();
        if let Ok(checks) = Checks::compile(&schema) {
            let fits = checks.fits(&text);
            prop_assert!(!fits || serde_json::from_str::<Value>(&text).is_ok());
        }
    }

    #[test]
    fn what_fits_is_what_serde_reads(seed: u64) {
        let anything = Checks::compile(&json!(true)).unwrap();
        let mut random = Random::new(seed);
        let text = random.scribble(&json!({"a": [1.5e3, -0.0, "x\n\u{e9}\u{1f600}", null], "b": {"c": true}}));
        let repeats_a_key = Node::parse(&text).is_ok_and(|node| !super::oddities(&node).is_empty());
        prop_assert_eq!(anything.fits(&text), serde_json::from_str::<Value>(&text).is_ok() && !repeats_a_key, "{}", text);
    }
}

#[test]
fn emails_agree_with_the_general_validator() {
    let schema = json!({"format": "email"});
    let (checks, general) = (Checks::compile(&schema).unwrap(), general(&schema));
    for text in [
        "a@b.co",
        "a.b+c@example.org",
        "@b.co",
        "a@",
        "a",
        "a@b",
        "a..b@c.de",
        ".a@b.c",
        "a.@b.c",
        "\"a b\"@c.de",
        "\"\"@c.de",
        "\"a\\\"b\"@c.de",
        "\"a\"b\"@c.de",
        "a@[127.0.0.1]",
        "a@[300.0.0.1]",
        "a@[IPv6:::1]",
        "a@[ipv6:::1]",
        "a@[IPv6:x]",
        "a@-b.de",
        "a@b-.de",
        "a@b_c.de",
        "a b@c.de",
        "a@b..de",
        "a@b.de.",
        "é@b.de",
        "a@é.de",
        "a@@b.de",
        "\"a@b\"@c.de",
        "a@b@c.de",
        "\"a\u{7f}\"@c.de",
    ] {
        agree(&checks, &general, &schema, &json!(text).to_string());
    }
    for length in [63, 64, 65, 253, 254] {
        agree(&checks, &general, &schema, &json!(format!("{}@b.de", "a".repeat(length))).to_string());
        agree(&checks, &general, &schema, &json!(format!("a@{}.de", "b".repeat(length))).to_string());
    }
}

#[test]
fn formats_agree_with_the_general_validator() {
    let texts = [
        "2026-01-31",
        "2026-02-29",
        "2024-02-29",
        "1900-02-29",
        "2000-02-29",
        "2026-13-01",
        "2026-1-1",
        "2026-01-00",
        "12:00:00Z",
        "12:00:00",
        "12:00:00z",
        "12:00:00.5+01:30",
        "12:00:00.+01:30",
        "24:00:00Z",
        "23:59:60Z",
        "22:59:60Z",
        "00:29:60+00:30",
        "00:30:60+00:30",
        "12:00:00+24:00",
        "12:00:00+0100",
        "12:00:00-00:00",
        "2026-01-31T12:00:00Z",
        "2026-01-31t12:00:00z",
        "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00",
        "T12:00:00Z",
        "123e4567-e89b-12d3-a456-426614174000",
        "123E4567-E89B-12D3-A456-426614174000",
        "123e4567e89b12d3a456426614174000",
        "{123e4567-e89b-12d3-a456-426614174000}",
        "123e4567-e89b-12d3-a456-42661417400g",
        "192.0.2.1",
        "192.0.2",
        "192.0.2.01",
        "256.0.0.1",
        "1.2.3.4.5",
        "::1",
        "2001:db8::1",
        "fe80::1%eth0",
        "::ffff:192.0.2.1",
        "1::2::3",
        ":::",
        "12345::",
        "",
        "é",
        "2026-01-3é",
    ];
    for format in ["date-time", "date", "time", "uuid", "ipv4", "ipv6"] {
        let schema = json!({"format": format});
        let (checks, general) = (Checks::compile(&schema).unwrap(), general(&schema));
        for text in texts {
            agree(&checks, &general, &schema, &json!(text).to_string());
        }
    }
}

#[test]
fn the_text_is_walked_as_strictly_as_serde_reads_it() {
    let anything = Checks::compile(&json!({})).unwrap();
    for text in [
        "",
        " ",
        "1",
        " 1 ",
        "01",
        "-",
        "-0",
        "-1",
        "1.",
        ".5",
        "1.5",
        "1e",
        "1e+",
        "1e5",
        "1E-5",
        "1e400",
        "-1e400",
        "+1",
        "0x1",
        "NaN",
        "18446744073709551616",
        "123456789012345678",
        "1234567890123456789",
        "\"\"",
        "\"a",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u00e9\"",
        "\"\\u00g9\"",
        "\"\\u00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83dx\"",
        "\"\\ud83d\\u0041\"",
        "\"a\nb\"",
        "\"a\u{1}bcdefgh\"",
        "\"abcdefgh\u{1f}\"",
        "\"\u{7f}é😀\"",
        "true",
        "tru",
        "truee",
        "null",
        "nul",
        "[]",
        "[1",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1,2]",
        "[[]]",
        "]",
        "{}",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\" : 1 , \"b\":[ ] }",
        "{a:1}",
        "{1:1}",
        "{}{}",
        "{} x",
        "\u{feff}{}",
        "{\"a\":1}\u{a0}",
        "[1]\t\r\n",
        "\u{b}1",
    ] {
        assert_eq!(anything.fits(text), serde_json::from_str::<Value>(text).is_ok(), "{text:?}");
    }
    for depth in [126, 127, 128, 100_000] {
        let text = "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(anything.fits(&text), serde_json::from_str::<Value>(&text).is_ok(), "{depth}");
    }
}
