//! What OpenAI's strict mode can say, and what it cannot.

use serde_json::{Map, Value, json};

use super::{every_object, raw, refused};

/// The strict form of a required property.
#[track_caller]
fn strict(property: Value) -> Value {
    let mut schema = with(property);
    schema["required"] = json!(["a"]);
    raw(schema).to_strict().unwrap()["properties"]["a"].take()
}

/// The strict form of an optional property.
#[track_caller]
fn optional(property: Value) -> Value {
    raw(with(property)).to_strict().unwrap()["properties"]["a"].take()
}

/// The problems of a property.
#[track_caller]
fn problems(property: Value) -> String {
    let schema = with(property);
    let given = raw(schema.clone());
    let problems = refused(given.to_strict());
    assert_eq!(*given.as_value(), schema, "the author's schema is never changed");
    problems
}

fn with(property: Value) -> Value {
    json!({
        "type": "object",
        "properties": { "a": property },
        "$defs": {
            "text": { "type": "string", "description": "A text." },
            "point": { "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] },
            "list": { "type": "object", "properties": { "next": { "$ref": "#/$defs/list" } } },
        },
    })
}

#[test]
fn what_is_optional_admits_null() {
    let nothing = || json!({ "type": "null" });
    for (property, expected) in [
        (json!({ "type": "string" }), json!({ "type": ["string", "null"] })),
        (json!({ "type": ["string", "null"] }), json!({ "type": ["string", "null"] })),
        (json!({ "type": "null" }), json!({ "type": "null" })),
        (json!({ "enum": ["a"] }), json!({ "type": ["string", "null"], "enum": ["a", null] })),
        (json!({ "const": "a" }), json!({ "type": ["string", "null"], "enum": ["a", null] })),
        (json!({ "$ref": "#/$defs/text" }), json!({ "anyOf": [{ "$ref": "#/$defs/text" }, (nothing())] })),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, (nothing())] }),
        ),
        (
            json!({ "anyOf": [{ "type": ["string", "null"] }, { "type": "integer" }] }),
            json!({ "anyOf": [{ "type": ["string", "null"] }, { "type": "integer" }] }),
        ),
        (
            json!({ "type": ["string", "integer"], "minLength": 1, "minimum": 2, "description": "Either." }),
            json!({
                "description": "Either.",
                "anyOf": [
                    { "type": "string", "description": "At least 1 character." },
                    { "type": "integer", "minimum": 2 },
                    (nothing()),
                ],
            }),
        ),
        (
            json!({ "type": "object", "properties": {} }),
            json!({ "type": ["object", "null"], "properties": {}, "required": [], "additionalProperties": false }),
        ),
    ] {
        assert_eq!(optional(property), expected);
    }
    // An enum that does not list null does not admit it, whatever its type says.
    assert_eq!(
        strict(json!({ "type": ["string", "null"], "enum": ["a"] })),
        json!({ "type": "string", "enum": ["a"] })
    );
    assert_eq!(strict(json!({ "enum": [1, 2.5] })), json!({ "type": "number", "enum": [1, 2.5] }));
    assert_eq!(strict(json!({ "type": ["integer", "number"] })), json!({ "type": "number" }));
}

#[test]
fn keywords_without_a_place_become_words() {
    for (property, words) in [
        (json!({ "type": "string", "minLength": 1 }), "At least 1 character."),
        (
            json!({ "type": "string", "minLength": 2, "maxLength": 9 }),
            "At least 2 characters, at most 9 characters.",
        ),
        (json!({ "type": "string", "format": "uri" }), "Format `uri`."),
        (json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true }), "No item twice."),
        (json!({ "type": "string", "default": "x" }), "Default `\"x\"`."),
        (json!({ "type": "string", "examples": ["x", "y"] }), "For example `\"x\"`, `\"y\"`."),
        (json!({ "type": "string", "contentEncoding": "base64" }), "Encoded as `base64`."),
        (json!({ "type": "string", "deprecated": true }), "Deprecated."),
        (json!({ "type": "integer", "not": { "enum": [0, 1] } }), "Not `0`, not `1`."),
        (json!({ "type": "object", "properties": {}, "minProperties": 1 }), "At least 1 key."),
        (json!({ "type": "string", "description": "A.", "minLength": 1 }), "A. (At least 1 character.)"),
        (
            json!({ "type": "string", "description": "A.\nB.", "minLength": 1 }),
            "A.\nB.\n\nAt least 1 character.",
        ),
    ] {
        let converted = strict(property);
        assert_eq!(converted["description"], words);
        for keyword in
            ["minLength", "maxLength", "uniqueItems", "default", "examples", "not", "minProperties"]
        {
            assert!(converted.get(keyword).is_none(), "{converted}");
        }
    }
    assert_eq!(strict(json!({ "type": "string", "default": null })), json!({ "type": "string" }));
}

#[test]
fn keywords_that_strict_knows_are_kept() {
    for property in [
        json!({ "type": "string", "pattern": "^a", "format": "date-time", "title": "T", "description": "D" }),
        json!({ "type": "number", "minimum": 0, "maximum": 1, "multipleOf": 0.5 }),
        json!({ "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9 }),
        json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 1, "maxItems": 2 }),
        json!({ "type": "string", "const": "a" }),
        json!({ "type": "string", "enum": ["a", "b"] }),
    ] {
        assert_eq!(strict(property.clone()), property);
    }
}

#[test]
fn what_cannot_be_said_is_a_problem_with_its_place() {
    for (property, place, message) in [
        (json!({}), "", "a value of any type"),
        (json!(true), "", "a value of any type"),
        (json!({ "minLength": 1 }), "", "a value of any type"),
        (json!({ "type": "array" }), "", "a list of any values"),
        (json!({ "type": "array", "items": {} }), "/items", "a value of any type"),
        (json!({ "type": "array", "items": { "type": "array" } }), "/items", "a list of any values"),
        (json!({ "type": "object" }), "", "free keys"),
        (json!({ "type": "object", "properties": {}, "additionalProperties": {} }), "", "free keys"),
        (
            json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "string" } }),
            "",
            "free keys",
        ),
        (
            json!({ "type": "object", "patternProperties": { "a": true }, "additionalProperties": false }),
            "",
            "free keys",
        ),
        (json!({ "type": "object", "properties": {}, "unevaluatedProperties": true }), "", "free keys"),
        (json!({ "type": "object", "properties": { "b": {} } }), "/properties/b", "a value of any type"),
        (json!({ "type": "object", "properties": {}, "required": ["b"] }), "", "`required` names `b`"),
        (json!({ "type": "string", "not": { "pattern": "a" } }), "", "no `not`"),
        (json!({ "type": "string", "if": { "pattern": "a" }, "then": { "minLength": 1 } }), "", "no `if`"),
        (json!({ "type": "array", "items": { "type": "string" }, "contains": {} }), "", "no `contains`"),
        (
            json!({ "type": "object", "properties": {}, "dependentRequired": {} }),
            "",
            "no `dependentRequired`",
        ),
        (json!({ "allOf": [{ "type": "string" }, { "minLength": 1 }] }), "", "no `allOf`"),
        (json!({ "type": "string", "allOf": [{ "type": "integer" }] }), "", "`allOf` and `type`"),
        (
            json!({ "oneOf": [{ "type": "integer" }, { "type": "number" }] }),
            "",
            "may fit two of these branches",
        ),
        (json!({ "anyOf": [{ "type": "string" }, {}] }), "/anyOf/1", "a value of any type"),
        (
            json!({ "properties": {}, "anyOf": [{ "type": "object" }] }),
            "",
            "`anyOf` and `properties` beside it",
        ),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "string" }] }),
            "",
            "a list that ends in any values",
        ),
        (json!({ "enum": [["a"]] }), "", "can list texts, numbers and booleans only"),
        (json!({ "type": "string", "enum": [1] }), "", "no value fits"),
        (json!({ "$ref": "#/$defs/list", "properties": {} }), "", "`$ref` and `properties` beside it"),
    ] {
        let problems = problems(property.clone());
        assert!(problems.starts_with(&format!("/properties/a{place}: ")), "{property}: {problems}");
        assert!(problems.contains(message), "{property}: {problems}");
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let schema = raw(json!({
        "type": "object",
        "properties": { "a": {}, "b": { "type": "array" }, "c": { "$ref": "#/$defs/c" }, "d": { "$ref": "#/$defs/c" } },
        "$defs": { "c": { "type": "object" } },
    }));
    let problems = refused(schema.to_strict());
    let places: Vec<_> = problems.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(places, ["/properties/a", "/properties/b", "/$defs/c"]);
}

#[test]
fn one_part_and_branches_that_exclude_each_other_are_fine() {
    let with_text = json!({ "description": "Here.", "allOf": [{ "$ref": "#/$defs/text" }] });
    assert_eq!(strict(with_text), json!({ "description": "Here.\n\nA text.", "type": "string" }));
    let fields = json!({ "allOf": [{ "type": "object", "properties": { "x": { "type": "null" } }, "required": ["x"] }] });
    assert_eq!(strict(fields)["required"], json!(["x"]));
    let point = json!({ "$ref": "#/$defs/point", "minProperties": 1 });
    assert_eq!(strict(point)["description"], "At least 1 key.");
    for branches in [
        json!([{ "type": "string" }, { "type": "integer" }, { "type": "null" }]),
        json!([{ "const": 1 }, { "enum": [2, 3] }]),
        json!([{ "type": "string", "const": "a" }, { "type": "string", "enum": ["b"] }]),
        json!([{ "type": "string" }, { "$ref": "#/$defs/point" }]),
        json!([
            { "type": "object", "properties": { "k": { "const": "a" } }, "required": ["k"] },
            { "type": "object", "properties": { "k": { "const": "b" } }, "required": ["k"] },
        ]),
        json!([
            { "type": "object", "properties": { "a": { "type": "null" } }, "required": ["a"], "additionalProperties": false },
            { "type": "object", "properties": { "b": { "type": "null" } }, "required": ["b"], "additionalProperties": false },
        ]),
        json!([{ "anyOf": [{ "type": "string" }, { "type": "null" }] }, { "type": "boolean" }]),
    ] {
        let count = branches.as_array().unwrap().len();
        assert_eq!(strict(json!({ "oneOf": branches }))["anyOf"].as_array().unwrap().len(), count);
    }
    for branches in [
        json!([{ "const": 1 }, { "const": 1.0 }]),
        json!([{ "type": "string" }, { "$ref": "#/$defs/text" }]),
        json!([
            { "type": "object", "properties": { "k": { "const": "a" } }, "required": ["k"] },
            { "type": "object", "properties": { "k": { "const": "b" } } },
        ]),
    ] {
        assert!(problems(json!({ "oneOf": branches })).contains("may fit two of these branches"));
    }
    assert_eq!(
        strict(
            json!({ "type": "string", "anyOf": [{ "pattern": "a" }, { "type": "string", "const": "b" }] })
        ),
        json!({ "anyOf": [{ "type": "string", "pattern": "a" }, { "type": "string", "const": "b" }] })
    );
}

#[test]
fn tuples_are_lists_of_their_kinds() {
    assert_eq!(
        strict(
            json!({ "type": "array", "prefixItems": [{ "type": "number" }, { "type": "number" }], "minItems": 2, "maxItems": 2 })
        ),
        json!({ "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 })
    );
    assert_eq!(
        strict(
            json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "type": "integer" }], "items": false })
        ),
        json!({
            "type": "array",
            "items": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            "maxItems": 2,
            "description": "In this order: string, integer.",
        })
    );
    let fewer = json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "type": "string" }], "maxItems": 1, "items": false });
    assert_eq!(strict(fewer)["maxItems"], json!(1));
}

#[test]
fn a_schema_that_contains_itself_ends() {
    let schema = raw(json!({
        "type": "object",
        "properties": {
            "children": { "type": "array", "items": { "$ref": "#" } },
            "parent": { "$ref": "#", "description": "Above." },
            "list": { "$ref": "#/$defs/list", "description": "First.", "default": null },
        },
        "required": ["children", "parent", "list"],
        "$defs": { "list": { "type": "object", "properties": { "next": { "$ref": "#/$defs/list" } } } },
    }));
    let strict = schema.to_strict().unwrap();
    assert_eq!(strict["properties"]["children"]["items"], json!({ "$ref": "#" }));
    assert_eq!(
        strict["properties"]["parent"],
        json!({ "description": "Above.", "anyOf": [{ "$ref": "#" }] })
    );
    assert_eq!(strict["properties"]["list"]["description"], "First.");
    assert_eq!(
        strict["$defs"]["list"]["properties"]["next"],
        json!({ "anyOf": [{ "$ref": "#/$defs/list" }, { "type": "null" }] })
    );
    every_object(&strict, &mut |map| assert!(!map.contains_key("$ref") || map.len() == 1));
}

#[test]
fn a_union_at_the_root_is_refused() {
    let union = raw(json!({ "type": "object", "oneOf": [{ "type": "object", "properties": {} }] }));
    assert!(refused(union.to_strict()).starts_with(": strict takes no `oneOf` at the root"));
    let inside = raw(
        json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "object", "anyOf": [{ "const": {} }] } } }),
    );
    refused(inside.to_strict());
    assert_eq!(raw(json!({ "type": "object" })).to_strict().unwrap(), super::empty());
}

fn texts(count: usize, length: usize) -> Vec<String> {
    (0..count).map(|number| format!("{number:0>length$}")).collect()
}

fn object(names: &[String]) -> Value {
    let properties: Map<_, _> =
        names.iter().map(|name| (name.clone(), json!({ "type": "boolean" }))).collect();
    json!({ "type": "object", "properties": properties })
}

#[test]
fn limits_on_numbers_are_exact() {
    let limit = |schema: Value, message: &str| {
        let problems = refused(raw(schema).to_strict());
        assert!(problems.contains(message), "{problems}");
    };
    raw(object(&texts(5_000, 4))).to_strict().unwrap();
    limit(object(&texts(5_001, 4)), "at most 5000 properties, and there are 5001");

    raw(object(&texts(1_000, 120))).to_strict().unwrap();
    limit(object(&texts(1_001, 120)), "at most 120000 characters in names and listed texts");

    let listed = |values: Vec<String>| json!({ "type": "object", "properties": { "a": { "enum": values } }, "required": ["a"] });
    raw(listed(texts(1_000, 4))).to_strict().unwrap();
    limit(listed(texts(1_001, 4)), "at most 1000 listed values, and there are 1001");
    raw(listed(texts(250, 61))).to_strict().unwrap();
    raw(listed(texts(300, 50))).to_strict().unwrap();
    limit(listed(texts(300, 51)), "at most 15000 characters in one list of more than 250 texts");
}

#[test]
fn ten_objects_within_each_other_are_the_limit() {
    // The list between the objects does not count; the reference does not hide them.
    let nested = |levels: usize| {
        let inner = (1..levels - 2).fold(json!({ "type": "string" }), |inner, _| {
            json!({ "type": "array", "items": { "type": "object", "properties": { "a/b": inner } } })
        });
        json!({
            "type": "object",
            "properties": { "r": { "$ref": "#/$defs/deep" }, "s": { "$ref": "#/$defs/itself" } },
            "$defs": {
                "deep": { "type": "object", "properties": { "first": { "type": "object", "properties": { "x": inner } } } },
                "itself": { "type": "object", "properties": { "again": { "$ref": "#/$defs/itself" } } },
            },
        })
    };
    raw(nested(10)).to_strict().unwrap();
    let problems = refused(raw(nested(11)).to_strict());
    let place = "/$defs/deep/properties/first/properties/x".to_owned()
        + &"/items/properties/a~1b".repeat(7)
        + "/items";
    assert_eq!(
        problems,
        format!("{place}: strict takes at most 10 objects within each other, and this is one more\n")
    );
}
