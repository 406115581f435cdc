//! The sentences that a model reads when its arguments are refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stop at what must not be")]

use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::{ArgumentDecoder, ArgumentError, Effect};

fn refusal(schema: &Value, raw: &str) -> ArgumentError {
    ArgumentDecoder::new(schema).unwrap().decode(raw, Effect::Writes).unwrap_err()
}

/// The schema of arguments with one optional property `v`.
fn optional(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"v": schema}, "additionalProperties": false})
}

/// What is said of a wrong `v`.
#[track_caller]
fn says(schema: &Value, value: &str, expected: &str) {
    let error = refusal(&optional(schema), &format!(r#"{{"v":{value}}}"#));
    let message = error.to_string();
    assert_eq!(message.strip_prefix("the arguments do not fit, so the tool was not run: "), Some(expected));
}

#[test]
fn all_problems_are_listed_in_one_go() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "offset": {"type": ["integer", "null"], "minimum": 1, "maximum": 500},
            "mode": {"enum": ["quick", "full_scan"]},
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    let error = refusal(&schema, r#"{"pth":"a","offset":0,"mode":"fullscan"}"#);
    assert_eq!(
        error.to_string(),
        "the arguments do not fit, so the tool was not run:\n\
         - `/pth`: expected only the keys `path`, `offset`, `mode`, found the unknown key `pth` (did you mean `path`)\n\
         - `/offset`: expected an integer from 1 to 500, found `0`\n\
         - `/mode`: expected one of `\"quick\"`, `\"full_scan\"`, found `\"fullscan\"` (did you mean `full_scan`)\n\
         - `/path`: expected a string, found nothing (`path` is required)"
    );
    let ArgumentError::Invalid { problems, .. } = error else { panic!("{error}") };
    let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["/pth", "/offset", "/mode", "/path"]);
}

#[test]
fn each_kind_of_mistake_has_its_sentence() {
    says(&json!({"type": "integer"}), "1.5", "`/v`: expected an integer, found `1.5` (it has a fraction)");
    says(&json!({"type": "integer"}), "\"1,000\"", "`/v`: expected an integer, found `\"1,000\"`");
    says(&json!({"type": ["string", "null"]}), "[1]", "`/v`: expected a string or null, found `[1]`");
    says(
        &json!({"exclusiveMinimum": 0, "type": "number"}),
        "0",
        "`/v`: expected a number that is greater than 0, found `0`",
    );
    says(&json!({"multipleOf": 0.5}), "0.7", "`/v`: expected a number, a multiple of 0.5, found `0.7`");
    says(
        &json!({"type": "string", "maxLength": 2}),
        "\"abc\"",
        "`/v`: expected a string of at most 2 characters, found `\"abc\"`",
    );
    says(&json!({"pattern": "^a"}), "\"b\"", "`/v`: expected a string that matches `^a`, found `\"b\"`");
    says(
        &json!({"format": "date"}),
        "\"2026-02-30\"",
        "`/v`: expected a date such as `2026-01-31`, found `\"2026-02-30\"`",
    );
    says(&json!({"minItems": 1}), "[]", "`/v`: expected a list of at least 1 item, found a list of 0 items");
    says(
        &json!({"uniqueItems": true}),
        "[1,2,1.0]",
        "`/v`: expected a list without repeats, found `1.0` more than once",
    );
    says(
        &json!({"minProperties": 2}),
        "{\"a\":1}",
        "`/v`: expected an object of at least 2 keys, found an object of 1 key",
    );
    says(&json!({"const": 3}), "4", "`/v`: expected `3`, found `4`");
    says(
        &json!({"not": {"type": "null"}, "type": ["null", "string"]}),
        "5",
        "`/v`: expected a string or null, found `5`",
    );
    says(&json!({"type": "integer"}), "1e999", "`/v`: expected a number of at most 1.7e308, found `1e999`");
    says(
        &json!({"additionalProperties": {"type": "boolean"}}),
        "{\"a/b\":1}",
        "`/v/a~1b`: expected a boolean, found `1`",
    );
    says(
        &json!({"propertyNames": {"maxLength": 1}}),
        "{\"ab\":1}",
        "`/v/ab`: expected keys that are each a string of at most 1 character, found the key `ab`",
    );
}

#[test]
fn a_union_says_what_is_wrong_with_the_branch_that_was_meant() {
    let tagged = json!({"oneOf": [
        {"type": "object", "properties": {"op": {"const": "add"}, "text": {"type": "string"}}, "required": ["op", "text"]},
        {"type": "object", "properties": {"op": {"const": "drop"}, "id": {"type": "integer"}}, "required": ["op", "id"]},
    ]});
    says(
        &tagged,
        r#"{"op":"add","id":1}"#,
        "`/v/text`: expected a string, found nothing (`text` is required)",
    );
    says(
        &tagged,
        r#"{"op":"ad"}"#,
        "`/v/op`: expected one of `\"add\"`, `\"drop\"`, found `\"ad\"` (did you mean `add`)",
    );
    says(&tagged, "7", "`/v`: expected an object with `op`, `text` or an object with `op`, `id`, found `7`");
    let option =
        json!({"anyOf": [{"type": "object", "properties": {"n": {"type": "integer"}}}, {"type": "null"}]});
    says(&option, r#"{"n":true}"#, "`/v/n`: expected an integer, found `true`");
}

#[test]
fn a_key_with_two_values_is_shown_with_both() {
    let error = refusal(&optional(&json!({})), r#"{"v":1,"v":2}"#);
    assert_eq!(
        error.to_string(),
        "the arguments do not fit, so the tool was not run: `/v`: expected each key once, found `1` and `2` \
         (`v` is given twice with different values)"
    );
}

#[test]
fn long_values_and_many_problems_stay_short() {
    let schema =
        json!({"type": "object", "properties": {"v": {"type": "array", "items": {"type": "integer"}}}});
    let text = "é".repeat(5_000);
    let message = refusal(&schema, &json!({"v": vec![text; 90]}).to_string()).to_string();
    assert!(message.chars().count() <= 2_000, "{message}");
    let (_, last) = message.rsplit_once('\n').unwrap();
    let more: usize =
        last.strip_prefix("- and ").and_then(|rest| rest.strip_suffix(" more")).unwrap().parse().unwrap();
    assert_eq!(message.matches("expected an integer").count() + more, 90);
    assert!(!message.contains(&"é".repeat(61)));
    let keys: serde_json::Map<String, Value> =
        (0..200).map(|n| (format!("{n}{}", "k".repeat(500)), json!(1))).collect();
    let message = refusal(&optional(&json!({})), &Value::Object(keys).to_string()).to_string();
    assert!(message.chars().count() <= 2_000, "{}", message.len());
}

#[test]
fn a_cut_text_says_what_arrived_and_that_nothing_ran() {
    let schema = json!({"type": "object"});
    let error = refusal(&schema, r#"{"path":"a.txt","content":"Hello"#);
    assert_eq!(error.class().as_str(), "truncated");
    let message = error.to_string();
    assert!(message.contains("so the tool was not run: `path` arrived whole, `content`"), "{message}");
}

#[test]
fn an_unreadable_text_says_why() {
    let error = refusal(&json!({"type": "object"}), "list the files in src");
    assert_eq!(error.class().as_str(), "malformed");
    assert!(
        error.to_string().starts_with("the arguments cannot be read, so the tool was not run: "),
        "{error}"
    );
}

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "only what serde says matters")]
struct Typed {
    small: u8,
    #[serde(default)]
    nested: Vec<Inner>,
    #[serde(default)]
    address: Option<std::net::Ipv4Addr>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only what serde says matters")]
struct Inner {
    n: i8,
}

#[track_caller]
fn serde_says(text: &str, path: &str, expected: &str, found: &str) {
    let error = serde_json::from_str::<Typed>(text).unwrap_err();
    let ArgumentError::Invalid { problems, .. } = ArgumentError::from_serde(&error, text) else { panic!() };
    let [problem] = problems.as_slice() else { panic!("{problems:?}") };
    assert_eq!(
        (problem.path.as_str(), problem.expected.as_str(), problem.found.as_str()),
        (path, expected, found)
    );
}

#[test]
fn an_error_of_serde_names_the_value() {
    serde_says(r#"{"small":300}"#, "/small", "u8", "`300`");
    serde_says("{\n  \"x\": [1, \"é\"],\n  \"small\" : -1 ,\n  \"y\": 2\n}", "/small", "u8", "`-1`");
    serde_says(r#"{"nested":[{"n":1},{"n":200}],"small":1}"#, "/nested/1/n", "i8", "`200`");
    serde_says(r#"{"nested":[{"n":"1"}],"small":1}"#, "/nested/0/n", "i8", "`\"1\"`");
    serde_says(r#"{"nested":[{}],"small":1}"#, "/nested/0", "the key `n`", "`{}`");
    serde_says(r#"{"small":1,"address":"x"}"#, "/address", "a value that the tool can read", "`\"x\"`");
    serde_says(r#"{}"#, "", "the key `small`", "`{}`");
}
