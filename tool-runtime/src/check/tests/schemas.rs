//! Which schemas are taken, and what keeps them within bounds.

use serde_json::{Value, json};

use crate::check::{Checks, Judge};
use crate::json::Node;

#[test]
fn faults_of_a_schema_are_listed_with_their_paths() {
    let problems = Checks::compile(&json!({
        "type": "objekt",
        "properties": {
            "a": {"minLength": -1, "pattern": 3},
            "b/c": {"items": [{"type": "string"}], "multipleOf": 0},
            "d": {"$ref": "#/$defs/none"},
            "e": 7,
        },
        "required": "a",
        "anyOf": [],
    }));
    let paths: Vec<String> = problems.unwrap_err().into_iter().map(|problem| problem.path).collect();
    assert_eq!(
        paths,
        [
            "/type",
            "/properties/a/minLength",
            "/properties/a/pattern",
            "/properties/b~1c/items",
            "/properties/b~1c/multipleOf",
            "/properties/d/$ref",
            "/properties/e",
            "/required",
            "/anyOf",
        ]
    );
}

#[test]
fn a_schema_that_only_leads_back_to_itself_is_refused() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}),
        json!({"not": {"$ref": "#"}}),
    ] {
        let problems = Checks::compile(&schema).unwrap_err();
        assert!(problems[0].message.contains("leads back to itself"), "{problems:?}");
    }
    let mut deep = json!({});
    for _ in 0..5_000 {
        deep = Value::Object([("items".to_owned(), deep)].into_iter().collect());
    }
    assert!(Checks::compile(&deep).unwrap_err()[0].message.contains("nested deeper"));
    // A value of this depth is dropped by recursion; that is not what is tried here.
    std::mem::forget(deep);
    let defs: serde_json::Map<String, Value> =
        (0..5_000).map(|n| (n.to_string(), json!({"$ref": format!("#/$defs/{}", n + 1)}))).collect();
    let mut chain = json!({"$defs": defs, "$ref": "#/$defs/0"});
    chain["$defs"]["5000"] = json!({});
    assert!(Checks::compile(&chain).is_err());
}

#[test]
fn nested_unions_stay_bounded() {
    let tree = json!({"anyOf": [
        {"properties": {"l": {"$ref": "#"}, "r": {"$ref": "#"}}, "required": ["l", "x"]},
        {"properties": {"l": {"$ref": "#"}, "r": {"$ref": "#"}}, "required": ["l", "y"]},
        {"type": "integer"},
    ]});
    let checks = Checks::compile(&tree).unwrap();
    let mut text = "0".to_owned();
    for _ in 0..100 {
        text = format!(r#"{{"l":{text}}}"#);
    }
    let mut judge = Judge::new(checks.rules(), &Node::parse(&text).unwrap());
    assert!(!judge.fits(&Node::parse(&text).unwrap(), checks.root()));
    assert!(judge.work() < 2_000, "{}", judge.work());
    let parts =
        json!({"allOf": [{"properties": {"l": {"$ref": "#"}}}, {"properties": {"l": {"$ref": "#"}}}]});
    let checks = Checks::compile(&parts).unwrap();
    let mut judge = Judge::new(checks.rules(), &Node::parse(&text).unwrap());
    assert!(judge.fits(&Node::parse(&text).unwrap(), checks.root()));
    assert!(judge.work() < 2_000, "{}", judge.work());
}

#[test]
fn nullable_adds_null_to_the_type_beside_it() {
    let checks = Checks::compile(&json!({"type": "string", "nullable": true})).unwrap();
    assert!(checks.fits("null") && checks.fits("\"a\"") && !checks.fits("1"));
    let checks = Checks::compile(&json!({"enum": ["a"], "type": "string", "nullable": true})).unwrap();
    assert!(!checks.fits("null"), "OpenAPI asks for null among the members too");
}

#[test]
fn older_and_other_dialects_are_not_taken_for_this_one() {
    for (schema, path) in [
        (json!({"$schema": "https://example.test/dialect"}), "/$schema"),
        (json!({"dependencies": {"a": ["b"]}}), "/dependencies"),
        (json!({"additionalItems": false}), "/additionalItems"),
        (json!({"exclusiveMinimum": true}), "/exclusiveMinimum"),
    ] {
        assert_eq!(Checks::compile(&schema).unwrap_err()[0].path, path);
    }
    assert!(Checks::compile(&json!({"$schema": "http://json-schema.org/draft-07/schema#"})).is_ok());
}

#[cfg(not(feature = "validator"))]
#[test]
fn a_keyword_that_is_not_checked_is_an_error() {
    let problems = Checks::compile(&json!({"properties": {"a": {"contains": {}}}})).unwrap_err();
    assert_eq!(problems[0].path, "/properties/a/contains");
    assert!(problems[0].message.contains("feature `validator`"), "{}", problems[0].message);
    assert!(Checks::compile(&json!({"properties": {"a": {"pattern": "(?=a)"}}})).is_err());
}

#[cfg(feature = "validator")]
#[test]
fn other_keywords_go_to_the_general_validator() {
    let checks = Checks::compile(&json!({
        "type": "object",
        "properties": {"a": {"type": "array", "contains": {"type": "integer"}}},
        "oneOf": [{"required": ["a"]}, {"dependentRequired": {"b": ["a"]}, "required": ["b"]}],
        "not": {"if": true, "then": {"required": ["c"]}},
    }))
    .unwrap();
    for (text, expected) in [
        (r#"{"a":[1]}"#, true),
        (r#"{"a":["1"]}"#, false),
        (r#"{"b":1}"#, false),
        (r#"{"a":[1],"b":1}"#, false),
        (r#"{"a":[1],"c":1}"#, false),
    ] {
        assert_eq!(checks.fits(text), expected, "{text}");
        let problems = checks.problems(&Node::parse(text).unwrap());
        assert_eq!(problems.is_empty(), expected, "{text} {problems:?}");
    }
    for schema in
        [json!({"$ref": "https://example.test/x"}), json!({"pattern": "(?=a)"}), json!({"dependencies": {}})]
    {
        assert!(Checks::compile(&schema).is_err(), "{schema}");
    }
    // The reference is relative to the `$id` around it.
    let inner = Checks::compile(&json!({
        "$defs": {"x": {"type": "string"}},
        "items": {"$id": "https://example.test/inner", "$defs": {"x": {"type": "integer"}}, "$ref": "#/$defs/x"},
    }))
    .unwrap();
    assert!(inner.fits("[1]") && !inner.fits("[\"a\"]"));
    let nullable = Checks::compile(&json!({"type": "string", "nullable": true, "contains": {}})).unwrap();
    assert!(nullable.fits("null"));
}
