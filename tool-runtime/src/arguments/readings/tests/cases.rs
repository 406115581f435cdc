//! The rows of the shared cases that are about text, by their ids.

use serde_json::Value;

use super::{Readings, reading};

const ROWS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/arguments.jsonl"));

#[test]
fn rows_of_kind_a_read_as_expected() {
    let mut seen = 0;
    for line in ROWS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (id, raw) = (row["id"].as_str().unwrap(), row["raw"].as_str().unwrap());
        let expect = &row["expect"];
        if row["kind"] != "A" && id != "a-042" && id != "a-061" {
            continue;
        }
        seen += 1;
        let fits = match reading(raw) {
            Readings::One { node, .. } => is(&expect["ok"], &node.to_string()),
            Readings::Truncated(truncated) => match (row["read_only"] == true, truncated.closable) {
                (true, Some(node)) => is(&expect["ok"], &node.to_string()),
                _ => expect["err"] == "truncated",
            },
            Readings::None(_) | Readings::Many(_) => expect["err"] == "malformed",
        };
        assert!(fits, "{id}: {}: {:?}", row["why"], reading(raw));
    }
    assert_eq!(seen, 47);
}

/// Rows of kind D hold JSON objects, which are data as they stand.
#[test]
fn rows_of_kind_d_are_left_alone() {
    for line in ROWS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let raw = row["raw"].as_str().unwrap();
        if row["kind"] == "D" && raw.starts_with('{') {
            match reading(raw) {
                Readings::One { node, rungs } => {
                    assert_eq!(rungs, Vec::<&str>::new());
                    assert_eq!(node.to_string(), raw, "{}", row["id"]);
                }
                other => panic!("{}: {other:?}", row["id"]),
            }
        }
    }
}

fn is(expected: &Value, json: &str) -> bool {
    serde_json::from_str::<Value>(json).unwrap() == *expected
}
