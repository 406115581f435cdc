//! Exact coercions by the schema: each on its own, and where none may happen.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stop at what must not be")]

use serde_json::{Value, json};
use tool_runtime::{ArgumentDecoder, Effect};

/// A decoder for arguments with an optional property `v` of this schema.
fn optional(schema: &Value) -> ArgumentDecoder {
    ArgumentDecoder::new(&json!({
        "type": "object",
        "properties": {"v": schema},
        "additionalProperties": false,
    }))
    .unwrap()
}

#[track_caller]
fn gives(decoder: &ArgumentDecoder, raw: &str, text: &str, repairs: &[(&str, &str)]) {
    let decoded = decoder.decode(raw, Effect::Writes).unwrap();
    assert_eq!(decoded.text, text);
    let found: Vec<(&str, &str)> =
        decoded.repairs.iter().map(|repair| (repair.name, repair.path.as_str())).collect();
    assert_eq!(found, repairs);
}

#[track_caller]
fn is_invalid(decoder: &ArgumentDecoder, raw: &str) {
    let error = decoder.decode(raw, Effect::Writes).unwrap_err();
    assert_eq!(error.class().as_str(), "invalid", "{error}");
}

#[test]
fn list_from_text() {
    let lists = optional(&json!({"type": "array", "items": {"type": "integer"}}));
    gives(&lists, r#"{"v":"[1,2]"}"#, r#"{"v":[1,2]}"#, &[("list_from_text", "/v")]);
    gives(
        &lists,
        r#"{"v":"[\"1\"]"}"#,
        r#"{"v":[1]}"#,
        &[("list_from_text", "/v"), ("number_from_text", "/v/0")],
    );
    is_invalid(&lists, r#"{"v":"[1,2"}"#);
    is_invalid(&lists, r#"{"v":"1,2"}"#);
    is_invalid(&lists, r#"{"v":1}"#);
}

#[test]
fn object_from_text() {
    let objects = optional(&json!({"type": "object", "properties": {"a": {"type": "integer"}}}));
    gives(&objects, r#"{"v":"{\"a\":1}"}"#, r#"{"v":{"a":1}}"#, &[("object_from_text", "/v")]);
}

#[test]
fn number_from_text() {
    let integers = optional(&json!({"type": "integer"}));
    gives(&integers, r#"{"v":"-12"}"#, r#"{"v":-12}"#, &[("number_from_text", "/v")]);
    gives(
        &integers,
        r#"{"v":"4e1"}"#,
        r#"{"v":40}"#,
        &[("number_from_text", "/v"), ("integer_from_whole_float", "/v")],
    );
    gives(
        &integers,
        r#"{"v":"18446744073709551616"}"#,
        r#"{"v":18446744073709551616}"#,
        &[("number_from_text", "/v")],
    );
    gives(
        &optional(&json!({"type": ["number", "null"]})),
        r#"{"v":"0.10"}"#,
        r#"{"v":0.10}"#,
        &[("number_from_text", "/v")],
    );
    for raw in [
        r#"{"v":" 1"}"#,
        r#"{"v":"1 "}"#,
        r#"{"v":"01"}"#,
        r#"{"v":"+1"}"#,
        r#"{"v":"1.5"}"#,
        r#"{"v":"0x1"}"#,
    ] {
        is_invalid(&integers, raw);
    }
    gives(&optional(&json!({"type": ["integer", "string"]})), r#"{"v":"3"}"#, r#"{"v":"3"}"#, &[]);
    gives(&optional(&json!({})), r#"{"v":"3"}"#, r#"{"v":"3"}"#, &[]);
}

#[test]
fn boolean_from_text() {
    let booleans = optional(&json!({"type": "boolean"}));
    gives(&booleans, r#"{"v":"true"}"#, r#"{"v":true}"#, &[("boolean_from_text", "/v")]);
    for raw in [r#"{"v":"True"}"#, r#"{"v":"yes"}"#, r#"{"v":1}"#, r#"{"v":"null"}"#] {
        is_invalid(&booleans, raw);
    }
}

#[test]
fn integer_from_whole_float() {
    let integers = optional(&json!({"type": "integer"}));
    for (raw, text) in [
        (r#"{"v":40.0}"#, r#"{"v":40}"#),
        (r#"{"v":4e1}"#, r#"{"v":40}"#),
        (r#"{"v":-0}"#, r#"{"v":0}"#),
        (r#"{"v":9007199254740993.0}"#, r#"{"v":9007199254740993}"#),
        (r#"{"v":1.8446744073709551615e19}"#, r#"{"v":18446744073709551615}"#),
    ] {
        gives(&integers, raw, text, &[("integer_from_whole_float", "/v")]);
    }
    is_invalid(&integers, r#"{"v":1e400}"#);
    gives(&optional(&json!({"type": "number"})), r#"{"v":40.0}"#, r#"{"v":40.0}"#, &[]);
}

#[test]
fn null_left_out() {
    let integers = optional(&json!({"type": "integer"}));
    gives(&integers, r#"{"v":null}"#, "{}", &[("null_left_out", "/v")]);
    gives(&optional(&json!({"type": ["integer", "null"]})), r#"{"v":null}"#, r#"{"v":null}"#, &[]);
    let members = optional(&json!({"enum": ["a", "b"]}));
    gives(&members, r#"{"v":null}"#, "{}", &[("null_left_out", "/v")]);
    // A key of a map is data, not an optional property.
    is_invalid(&optional(&json!({"additionalProperties": {"type": "integer"}})), r#"{"v":{"k":null}}"#);
}

#[test]
fn empty_text_left_out() {
    gives(&optional(&json!({"type": "integer"})), r#"{"v":""}"#, "{}", &[("empty_text_left_out", "/v")]);
    is_invalid(&optional(&json!({"type": "string", "minLength": 1})), r#"{"v":""}"#);
    is_invalid(&optional(&json!({"enum": ["a", "b"]})), r#"{"v":""}"#);
}

#[test]
fn wrapper_taken_off() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    for key in ["arguments", "parameters", "input", "properties", "args", "params", "kwargs", "tool_input"] {
        gives(&decoder, &format!(r#"{{"{key}":{{"n":1}}}}"#), r#"{"n":1}"#, &[("wrapper_taken_off", "")]);
    }
    gives(
        &decoder,
        r#"{"arguments":"{\"n\":\"1\"}"}"#,
        r#"{"n":1}"#,
        &[("wrapper_taken_off", ""), ("object_from_text", ""), ("number_from_text", "/n")],
    );
    is_invalid(&decoder, r#"{"arguments":{"m":1}}"#);
    is_invalid(&decoder, r#"{"arguments":{"n":1},"m":1}"#);
    is_invalid(&decoder, r#"{"data":{"n":1}}"#);
    // Only an object can be wrapped; an object where a text, a number or a list belongs is none.
    is_invalid(&optional(&json!({"type": "string"})), r#"{"v":{"input":"a"}}"#);
    is_invalid(&optional(&json!({"type": "integer"})), r#"{"v":{"parameters":3}}"#);
    is_invalid(&optional(&json!({"type": "array"})), r#"{"v":{"arguments":["a"]}}"#);
    gives(
        &optional(&schema),
        r#"{"v":{"input":{"n":1}}}"#,
        r#"{"v":{"n":1}}"#,
        &[("wrapper_taken_off", "/v")],
    );
    let open = ArgumentDecoder::new(&json!({"type": "object"})).unwrap();
    gives(&open, r#"{"arguments":{"n":1}}"#, r#"{"arguments":{"n":1}}"#, &[]);
}

#[test]
fn repeat_merged() {
    let decoder = optional(&json!({}));
    gives(
        &decoder,
        r#"{"v":[1,{"a":2}],"v":[1.0,{"a":2}]}"#,
        r#"{"v":[1,{"a":2}]}"#,
        &[("repeat_merged", "/v")],
    );
    gives(&decoder, r#"{"v":{"a":1,"a":1}}"#, r#"{"v":{"a":1}}"#, &[("repeat_merged", "/v/a")]);
    is_invalid(&decoder, r#"{"v":{"a":1,"a":"1"}}"#);
}

#[test]
fn a_key_with_two_values_is_refused_in_the_text_of_an_object_too() {
    let objects = optional(&json!({"type": "object"}));
    is_invalid(&objects, r#"{"v":"{\"a\":1,\"a\":2}"}"#);
    is_invalid(&objects, r#"{"v":"{'a':1,'a':2}"}"#);
    is_invalid(&objects, r#"{"v":"{\"b\":{\"a\":1,\"a\":2}}"}"#);
    is_invalid(&objects, r#"{"v":"{\"a\":1e999}"}"#);
    is_invalid(&optional(&json!({"type": "array"})), r#"{"v":"[{\"a\":1,\"a\":2}]"}"#);
    is_invalid(
        &optional(&json!({"anyOf": [{"type": "object"}, {"type": "null"}]})),
        r#"{"v":"{\"a\":1,\"a\":2}"}"#,
    );
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    is_invalid(&decoder, r#"{"arguments":"{\"n\":1,\"n\":2}"}"#);
    is_invalid(&decoder, r#""{\"n\":1,\"n\":2}""#);
    gives(
        &objects,
        r#"{"v":"{\"a\":1,\"a\":1}"}"#,
        r#"{"v":{"a":1}}"#,
        &[("object_from_text", "/v"), ("repeat_merged", "/v/a")],
    );
}

#[test]
fn values_are_coerced_through_references_and_at_depth() {
    let decoder = ArgumentDecoder::new(&json!({
        "type": "object",
        "properties": {"list": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
        "$defs": {"item": {"allOf": [{"$ref": "#/$defs/id"}], "properties": {"at": {"prefixItems": [{"type": "number"}]}}},
                  "id": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}},
    }))
    .unwrap();
    gives(
        &decoder,
        r#"{"list":[{"id":"7","at":["1.5"]}]}"#,
        r#"{"list":[{"id":7,"at":[1.5]}]}"#,
        &[("number_from_text", "/list/0/id"), ("number_from_text", "/list/0/at/0")],
    );
}

#[test]
fn a_union_takes_what_one_branch_admits_or_only_one_can_take() {
    let option = optional(
        &json!({"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}, {"type": "null"}]}),
    );
    gives(&option, r#"{"v":{"n":"1"}}"#, r#"{"v":{"n":1}}"#, &[("number_from_text", "/v/n")]);
    gives(&option, r#"{"v":"{\"n\":1}"}"#, r#"{"v":{"n":1}}"#, &[("object_from_text", "/v")]);
    gives(&option, r#"{"v":null}"#, r#"{"v":null}"#, &[]);

    let word_or_count = optional(&json!({"anyOf": [{"const": "all"}, {"type": "integer"}]}));
    gives(&word_or_count, r#"{"v":"all"}"#, r#"{"v":"all"}"#, &[]);
    gives(&word_or_count, r#"{"v":"3"}"#, r#"{"v":3}"#, &[("number_from_text", "/v")]);
    gives(&word_or_count, r#"{"v":3.0}"#, r#"{"v":3}"#, &[("integer_from_whole_float", "/v")]);

    let numbers = optional(&json!({"anyOf": [{"type": "integer"}, {"type": "number"}]}));
    gives(&numbers, r#"{"v":3.0}"#, r#"{"v":3.0}"#, &[]);

    let tagged = optional(&json!({"oneOf": [
        {"type": "object", "properties": {"op": {"const": "add"}, "n": {"type": "integer"}}, "required": ["op", "n"]},
        {"type": "object", "properties": {"op": {"const": "log"}, "n": {"type": "string"}}, "required": ["op", "n"]},
    ]}));
    gives(
        &tagged,
        r#"{"v":{"op":"add","n":"1"}}"#,
        r#"{"v":{"op":"add","n":1}}"#,
        &[("number_from_text", "/v/n")],
    );
    gives(&tagged, r#"{"v":{"op":"log","n":"1"}}"#, r#"{"v":{"op":"log","n":"1"}}"#, &[]);

    // Two branches could take it, each in its own way.
    let either = optional(&json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": ["integer", "string"]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": ["integer", "string"]}, "b": {"type": "integer"}}, "required": ["b"]},
    ]}));
    gives(&either, r#"{"v":{"a":"1","b":2}}"#, r#"{"v":{"a":"1","b":2}}"#, &[]);
    let two_ways = optional(&json!({"anyOf": [
        {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "integer"}}},
    ]}));
    is_invalid(&two_ways, r#"{"v":{"a":"","b":""}}"#);
}
