//! Schemas that their authors wrote.

use serde_json::{Value, json};
use tool_runtime::ParametersSchema;

use super::{assert_fits, raw, refused};

/// An object with one property `a` of this schema.
fn with(property: Value) -> Value {
    json!({ "type": "object", "properties": { "a": property } })
}

#[test]
fn a_raw_schema_is_kept_as_it_is() {
    let value = json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2, "format": "int32", "title": "N" },
            "s": { "type": "string", "pattern": "^a", "minLength": 1, "x-own": { "type": 7 } },
            "m": { "type": "object" },
            "o": { "oneOf": [{ "const": 1 }, { "const": 2 }] },
        },
        "patternProperties": { "^x-": true },
        "additionalProperties": { "type": "string" },
    });
    let schema = raw(value.clone());
    assert!(schema.is_raw());
    assert_eq!(*schema.as_value(), value);
    let mut wire = value;
    wire["patternProperties"]["^x-"] = json!({});
    wire["properties"]["m"]["properties"] = json!({});
    assert_eq!(schema.to_wire(), wire);
}

#[test]
fn the_root_may_be_an_object_by_reference() {
    let object = json!({ "type": "object", "title": "P", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
    let by_reference = raw(json!({ "$ref": "#/$defs/P", "description": "Root.", "$defs": { "P": object } }));
    let by_part = raw(json!({ "allOf": [object], "description": "Root." }));
    for schema in [&by_reference, &by_part] {
        let wire = schema.to_wire();
        assert_eq!(wire["type"], "object");
        assert_eq!(wire["properties"], json!({ "n": { "type": "integer" } }));
        assert_eq!(wire["required"], json!(["n"]));
        assert_eq!(wire["description"], "Root.");
        assert!(wire.get("$ref").is_none() && wire.get("allOf").is_none() && wire.get("title").is_none());
        assert_fits(schema, &[json!({ "n": 1 })]);
        let strict = schema.to_strict().unwrap();
        assert_eq!(strict["required"], json!(["n"]));
        assert_eq!(strict["additionalProperties"], json!(false));
        assert!(strict.get("title").is_none());
    }
    // What cannot be said as one schema stays, and only the type is added.
    let apart = raw(json!({
        "$ref": "#/$defs/P",
        "properties": { "m": { "type": "string" } },
        "additionalProperties": { "type": "integer" },
        "$defs": { "P": object },
    }));
    assert_eq!(apart.to_wire()["$ref"], "#/$defs/P");
    assert_eq!(apart.to_wire()["type"], "object");
    assert!(refused(apart.to_strict()).contains("strict cannot say `$ref` and"));
}

#[test]
fn a_root_that_is_no_object_is_refused() {
    for (root, message) in [
        (json!({}), "does not say that it is an object"),
        (json!(true), "does not say that it is an object"),
        (json!({ "properties": { "a": {} } }), "does not say that it is an object"),
        (json!({ "type": "string" }), "the root admits `string`"),
        (json!({ "type": ["object", "null"] }), "the root admits `object` or `null`"),
        (json!({ "oneOf": [{ "type": "object" }] }), "does not say that it is an object"),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "array" } } }), "the root admits `array`"),
        (json!(7), "a schema is an object"),
    ] {
        let problems = refused(ParametersSchema::from_json(root));
        assert!(problems.starts_with(": ") && problems.contains(message), "{problems}");
    }
    raw(json!({ "type": ["object"], "nullable": true }));
}

#[test]
fn malformed_keywords_are_refused_with_their_place() {
    for (keyword, value) in [
        ("type", json!("text")),
        ("type", json!(["string", "string"])),
        ("type", json!([])),
        ("enum", json!([])),
        ("enum", json!("a")),
        ("required", json!(true)),
        ("required", json!(["a", "a"])),
        ("properties", json!(["a"])),
        ("items", json!([{ "type": "string" }])),
        ("anyOf", json!([])),
        ("oneOf", json!({})),
        ("minLength", json!(-1)),
        ("maxItems", json!(1.5)),
        ("minimum", json!("1")),
        ("exclusiveMinimum", json!(true)),
        ("multipleOf", json!(0)),
        ("uniqueItems", json!(1)),
        ("pattern", json!(7)),
        ("description", json!(["a"])),
        ("dependentRequired", json!({ "a": "b" })),
        ("$ref", json!(1)),
    ] {
        let problems = refused(ParametersSchema::from_json(with(json!({ keyword: value }))));
        let expected = format!("/properties/a/{keyword}: `{keyword}` must be ");
        assert!(problems.starts_with(&expected), "{problems}");
        assert_eq!(problems.lines().count(), 1, "{problems}");
        // The same words as names and as data are no keywords.
        raw(with(
            json!({ "properties": { keyword: {} }, "default": { keyword: value }, "const": [{ keyword: value }] }),
        ));
    }
    let problems =
        refused(ParametersSchema::from_json(with(json!({ "items": 7, "anyOf": [{ "type": 1 }, 2] }))));
    assert_eq!(problems.lines().count(), 3, "{problems}");
    assert!(problems.contains("/properties/a/items: a schema is an object"), "{problems}");
    assert!(problems.contains("/properties/a/anyOf/0/type: "), "{problems}");
    assert!(problems.contains("/properties/a/anyOf/1: "), "{problems}");
}

#[test]
fn a_reference_must_lead_to_a_schema_of_the_same_document() {
    for (reference, message) in [
        ("https://example.com/a.json", "references are never fetched"),
        ("file:///etc/passwd", "references are never fetched"),
        ("other.json#/$defs/a", "references are never fetched"),
        ("#/$defs/none", "leads to no schema"),
        ("#/properties", "leads to no schema"),
        ("#/properties/a/default", "leads to no schema"),
        ("#/required/0", "leads to no schema"),
        ("#anchor", "is an anchor"),
        ("#/%ff", "is no JSON pointer"),
    ] {
        let mut value = with(json!({ "default": {} }));
        value["properties"]["b"] = json!({ "$ref": reference });
        value["required"] = json!(["a"]);
        let problems = refused(ParametersSchema::from_json(value));
        assert!(problems.starts_with("/properties/b/$ref: ") && problems.contains(message), "{problems}");
    }
    for keyword in ["$dynamicRef", "$recursiveRef"] {
        let problems = refused(ParametersSchema::from_json(with(json!({ keyword: "#" }))));
        assert!(problems.contains("is not supported; write `$ref`"), "{problems}");
    }
    let problems = refused(ParametersSchema::from_json(with(json!({ "$id": "https://example.com/inner" }))));
    assert!(problems.starts_with("/properties/a/$id: "), "{problems}");
}

#[test]
fn pointers_are_escaped_and_unescaped() {
    let schema = raw(json!({
        "type": "object",
        "properties": {
            "a/b": { "$ref": "#/$defs/x~1y" },
            "c~d": { "$ref": "#/$defs/t~0u%20v" },
            "e": { "$ref": "#/$defs/100%25" },
            "f": { "$ref": "#/$defs/a%2541" },
            "g": { "$ref": "#/properties/a~1b" },
            "h": { "anyOf": [{ "type": "string" }, { "$ref": "#/properties/h/anyOf/0" }] },
        },
        "$defs": {
            "x/y": { "type": "string" },
            "t~u v": { "type": "integer" },
            "100%": { "type": "boolean" },
            "a%41": { "type": "number" },
            "x y": { "type": "null" },
        },
    }));
    let strict = schema.to_strict().unwrap();
    let definitions = strict["$defs"].as_object().unwrap();
    for (name, expected) in [("a/b", "string"), ("c~d", "integer"), ("e", "boolean"), ("f", "number")] {
        let reference = strict["properties"][name]["anyOf"][0]["$ref"].as_str().unwrap();
        let definition = &definitions[reference.strip_prefix("#/$defs/").unwrap()];
        assert_eq!(definition["type"], expected, "{name}");
    }
    assert_fits(&schema, &[json!({ "a/b": "a", "c~d": 1, "e": true, "f": 0.5, "g": "a" })]);

    let problems = refused(ParametersSchema::from_json(json!({
        "type": "object",
        "properties": { "a/b~c": { "items": { "type": "text" } } },
    })));
    assert!(problems.starts_with("/properties/a~1b~0c/items/type: "), "{problems}");
}

#[test]
fn a_text_with_a_key_given_twice_is_refused() {
    let problems = refused(ParametersSchema::from_text(
        r#"{"type": "object", "properties": {"a": {"type": "string", "type": "integer"}, "a": {}, "b/c": [1, {"d": 1, "d": 2}]}}"#,
    ));
    let places: Vec<_> = problems.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(places, ["/properties/a/type", "/properties/a", "/properties/b~1c/1/d"]);
    for text in ["", "{", "{} {}", "{'type': 'object'}", "null", "{\"type\": \"object\"} x"] {
        refused(ParametersSchema::from_text(text));
    }
    let schema = ParametersSchema::from_text(
        r#"{"type": "object", "properties": {"n": {"minimum": -1, "maximum": 18446744073709551615, "multipleOf": 0.5}}}"#,
    );
    let schema = schema.unwrap();
    assert_eq!(
        schema.as_value()["properties"]["n"],
        json!({ "minimum": -1, "maximum": u64::MAX, "multipleOf": 0.5 })
    );
    assert!(schema.is_raw());
}

#[test]
fn the_keys_of_a_schema_keep_their_order() {
    let schema =
        ParametersSchema::from_text(r#"{"type":"object","properties":{"z":{},"a":{},"m":{}}}"#).unwrap();
    assert_eq!(schema.to_wire().to_string(), r#"{"type":"object","properties":{"z":{},"a":{},"m":{}}}"#);
}

#[test]
fn openai_gets_one_object_in_place_of_a_union_at_the_root() {
    let branch = |name: &str| json!({ "properties": { name: { "type": "string" } }, "required": [name] });
    for keyword in ["anyOf", "oneOf"] {
        let schema = raw(json!({
            "type": "object",
            "properties": { "n": { "type": "integer", "minimum": 1 } },
            "required": ["n"],
            keyword: [branch("path"), branch("url")],
        }));
        // A branch admits any other key, so the other's may be anything there.
        let wire = schema.to_openai();
        assert_eq!(
            wire,
            json!({
                "type": "object",
                "properties": { "n": { "type": "integer", "minimum": 1 }, "path": {}, "url": {} },
                "required": ["n"],
                "description": "Give `path`, or `url`.",
            }),
            "{keyword}"
        );
        assert_fits(&schema, &[json!({ "n": 1, "path": "a" })]);
    }
    let closed = |name: &str| {
        let mut branch = branch(name);
        branch["additionalProperties"] = json!(false);
        branch
    };
    let wire = raw(json!({ "type": "object", "anyOf": [closed("path"), closed("url")] })).to_openai();
    assert_eq!(wire["properties"], json!({ "path": { "type": "string" }, "url": { "type": "string" } }));
    assert_eq!(wire["additionalProperties"], json!(false));
}

#[test]
fn openai_gets_words_for_what_else_it_refuses_at_the_root() {
    let schema = raw(json!({ "type": "object", "properties": { "a": {} }, "not": { "required": ["b"] } }));
    assert_eq!(
        schema.to_openai(),
        json!({
            "type": "object",
            "properties": { "a": {} },
            "description": "The whole has to fit `not`: `{\"required\":[\"b\"]}`.",
        })
    );
    assert_eq!(schema.to_wire()["not"]["required"], json!(["b"]));
}
