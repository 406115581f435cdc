//! Reported faults of kind D: the text can be read, the value is the question. The ids are those of the case list.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stop at what must not be")]

use serde_json::{Value, json};
use tool_runtime::{ArgumentDecoder, Effect};

/// What must come of a text: the value that the tool gets, or the class of the refusal.
type Expected = Result<Value, &'static str>;

#[track_caller]
fn check(schema: &Value, raw: &str, expected: &Expected) {
    let decoder = ArgumentDecoder::new(schema).unwrap();
    let decoded = decoder.decode(raw, Effect::Writes);
    let found = match &decoded {
        Ok(decoded) => Ok(serde_json::from_str(&decoded.text).unwrap()),
        Err(error) => Err(error.class().as_str()),
    };
    assert_eq!(found, *expected, "{decoded:?}");
}

#[test]
fn a_042_null_means_no_arguments() {
    check(
        &json!({"type": "object", "properties": {"verbose": {"type": "boolean"}}, "required": [], "additionalProperties": false}),
        r"null",
        &Ok(json!({})),
    );
}

#[test]
fn a_043_a_missing_body_is_not_empty() {
    check(
        &json!({"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"], "additionalProperties": false}),
        r#"{"path":"unit1.pas"}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_044_null_for_an_optional_integer_is_left_out() {
    check(
        &json!({"type": "object", "properties": {"url": {"type": "string"}, "wait": {"type": "integer"}}, "required": ["url"], "additionalProperties": false}),
        r#"{"url":"https://example.test","wait":null}"#,
        &Ok(json!({"url": "https://example.test"})),
    );
}

#[test]
fn a_045_null_that_is_admitted_stays() {
    check(
        &json!({"type": "object", "properties": {"id": {"type": "integer"}, "note": {"type": ["string", "null"]}}, "required": ["id"], "additionalProperties": false}),
        r#"{"id":7,"note":null}"#,
        &Ok(json!({"id": 7, "note": null})),
    );
}

#[test]
fn a_046_null_for_a_required_value_is_missing() {
    check(
        &json!({"type": "object", "properties": {"title": {"type": "string"}, "tag": {"type": "string"}}, "required": ["title"], "additionalProperties": false}),
        r#"{"title":null,"tag":null}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_047_text_of_an_integer_where_one_is_wanted() {
    check(
        &json!({"type": "object", "properties": {"depth": {"type": "integer"}}, "required": ["depth"], "additionalProperties": false}),
        r#"{"depth":"3"}"#,
        &Ok(json!({"depth": 3})),
    );
}

#[test]
fn a_048_a_separator_is_no_number() {
    check(
        &json!({"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"], "additionalProperties": false}),
        r#"{"count":"1,000"}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_049_digits_past_2_to_53_stay() {
    check(
        &json!({"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "additionalProperties": false}),
        r#"{"id":2512292042121000017}"#,
        &Ok(json!({"id": 2_512_292_042_121_000_017u64})),
    );
}

#[test]
fn a_050_a_whole_float_is_an_integer() {
    check(
        &json!({"type": "object", "properties": {"max": {"type": "integer"}}, "required": ["max"], "additionalProperties": false}),
        r#"{"max":40.0}"#,
        &Ok(json!({"max": 40})),
    );
}

#[test]
fn a_051_a_fraction_is_not_rounded() {
    check(
        &json!({"type": "object", "properties": {"max": {"type": "integer"}}, "required": ["max"], "additionalProperties": false}),
        r#"{"max":40.5}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_052_the_text_false_is_false() {
    check(
        &json!({"type": "object", "properties": {"force": {"type": "boolean"}}, "required": ["force"], "additionalProperties": false}),
        r#"{"force":"false"}"#,
        &Ok(json!({"force": false})),
    );
}

#[test]
fn a_053_leading_zeros_of_a_text_stay() {
    check(
        &json!({"type": "object", "properties": {"zip": {"type": "string"}}, "required": ["zip"], "additionalProperties": false}),
        r#"{"zip":"02013"}"#,
        &Ok(json!({"zip": "02013"})),
    );
}

#[test]
fn a_054_numeric_text_stays_text() {
    check(
        &json!({"type": "object", "properties": {"sheet": {"type": "string"}}, "required": ["sheet"], "additionalProperties": false}),
        r#"{"sheet":"1"}"#,
        &Ok(json!({"sheet": "1"})),
    );
}

#[test]
fn a_055_text_of_a_list_where_one_is_wanted() {
    check(
        &json!({"type": "object", "properties": {"site": {"type": "string"}, "actions": {"type": "array", "items": {"type": "object"}}}, "required": ["site", "actions"], "additionalProperties": false}),
        r#"{"site":"s1","actions":"[{\"find\":{\"text\":\"all\"}}]"}"#,
        &Ok(json!({"site": "s1", "actions": [{"find": {"text": "all"}}]})),
    );
}

#[test]
fn a_056_json_in_a_text_stays_text() {
    check(
        &json!({"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"], "additionalProperties": false}),
        r#"{"path":"cfg.json","content":"{\"name\":\"demo\"}"}"#,
        &Ok(json!({"path": "cfg.json", "content": "{\"name\":\"demo\"}"})),
    );
}

#[test]
fn a_057_an_object_is_not_made_a_text() {
    check(
        &json!({"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"], "additionalProperties": false}),
        r#"{"path":"cfg.json","content":{"name":"demo"}}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_058_a_wrapper_is_taken_off() {
    check(
        &json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}),
        r#"{"arguments":{"path":"a.txt"}}"#,
        &Ok(json!({"path": "a.txt"})),
    );
}

#[test]
fn a_059_another_wrapper_is_taken_off() {
    check(
        &json!({"type": "object", "properties": {"chapter": {"type": "string"}, "page": {"type": "integer"}}, "required": ["chapter"], "additionalProperties": false}),
        r#"{"input":{"chapter":"two","page":4}}"#,
        &Ok(json!({"chapter": "two", "page": 4})),
    );
}

#[test]
fn a_060_a_declared_key_is_no_wrapper() {
    check(
        &json!({"type": "object", "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}, "required": ["name", "arguments"], "additionalProperties": false}),
        r#"{"name":"nightly","arguments":{"dry":true}}"#,
        &Ok(json!({"name": "nightly", "arguments": {"dry": true}})),
    );
}

#[test]
fn a_061_an_object_encoded_twice() {
    check(
        &json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}),
        r#""{\"n\": 4}""#,
        &Ok(json!({"n": 4})),
    );
}

#[test]
fn a_062_the_list_is_read_and_the_title_stays() {
    check(
        &json!({"type": "object", "properties": {"title": {"type": "string"}, "todos": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}, "done": {"type": "boolean"}}, "required": ["text"], "additionalProperties": false}}}, "required": ["todos"], "additionalProperties": false}),
        r#"{"title":"42","todos":"[{\"text\":\"ship\",\"done\":false}]"}"#,
        &Ok(json!({"title": "42", "todos": [{"text": "ship", "done": false}]})),
    );
}

#[test]
fn a_063_an_unknown_key_is_not_dropped() {
    check(
        &json!({"type": "object", "properties": {"scope": {"type": "string"}, "days": {"type": "integer"}}, "required": [], "additionalProperties": false}),
        r#"{"region":"north"}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_064_no_nearest_member_is_picked() {
    check(
        &json!({"type": "object", "properties": {"kind": {"type": "string", "enum": ["decision", "event", "quote"]}}, "required": ["kind"], "additionalProperties": false}),
        r#"{"kind":"memo"}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_065_empty_text_for_an_optional_integer_is_left_out() {
    check(
        &json!({"type": "object", "properties": {"namespace": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["namespace"], "additionalProperties": false}),
        r#"{"namespace":"core","limit":""}"#,
        &Ok(json!({"namespace": "core"})),
    );
}

#[test]
fn a_066_empty_text_stays_where_text_fits() {
    check(
        &json!({"type": "object", "properties": {"namespace": {"type": "string"}, "selector": {"type": "string"}}, "required": ["namespace"], "additionalProperties": false}),
        r#"{"namespace":"core","selector":""}"#,
        &Ok(json!({"namespace": "core", "selector": ""})),
    );
}

#[test]
fn a_067_out_of_range_is_not_clamped() {
    check(
        &json!({"type": "object", "properties": {"level": {"type": "integer", "minimum": 0, "maximum": 255}}, "required": ["level"], "additionalProperties": false}),
        r#"{"level":300}"#,
        &Err("invalid"),
    );
}

#[test]
fn a_068_one_key_with_two_values() {
    check(
        &json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false}),
        r#"{"path":"draft.txt","path":"final.txt"}"#,
        &Err("invalid"),
    );
}
