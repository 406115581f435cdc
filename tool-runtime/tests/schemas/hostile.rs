//! Schemas that want to hang, to overflow the stack or to grow without bound.

use serde_json::{Map, Value, json};
use tool_runtime::ParametersSchema;

use super::{raw, refused};

/// Anything may come of it, except a crash.
fn survive(schema: Value) {
    if let Ok(schema) = ParametersSchema::from_json(schema) {
        let _ = schema.to_wire();
        let _ = schema.to_strict();
        let _ = schema.to_anthropic();
        let _ = schema.to_anthropic_strict();
        let _ = schema.to_gemini();
        let _ = schema.to_gemini_open_api();
    }
}

fn nested(levels: usize, wrap: impl Fn(Value) -> Value) -> Value {
    let inner = (0..levels).fold(json!({ "type": "string" }), |inner, _| wrap(inner));
    json!({ "type": "object", "properties": { "a": inner } })
}

#[test]
fn depth_is_bounded() {
    let mut deep = json!({});
    for _ in 0..50_000 {
        deep = Value::Object(Map::from_iter([("items".to_owned(), deep)]));
    }
    let problems = refused(ParametersSchema::from_json(deep));
    assert!(problems.contains("more than 128 levels deep"), "{problems}");
    let text = "{\"items\":".repeat(50_000);
    assert!(refused(ParametersSchema::from_text(&text)).contains("the schema is not JSON"));

    let wraps: [fn(Value) -> Value; 6] = [
        |inner| json!({ "items": inner }),
        |inner| json!({ "type": "array", "items": inner }),
        |inner| json!({ "not": inner }),
        |inner| json!({ "$ref": "#/$defs/none", "additionalProperties": inner }),
        |inner| json!({ "type": ["string", "array"], "items": inner, "nullable": true }),
        |inner| json!({ "title": "a", "description": "b", "default": 1, "type": "array", "items": inner }),
    ];
    for wrap in wraps {
        for levels in 120..130 {
            survive(nested(levels, wrap));
        }
    }
    for levels in 55..66 {
        survive(nested(levels, |inner| json!({ "anyOf": [inner], "nullable": true })));
        survive(nested(levels, |inner| json!({ "allOf": [inner], "nullable": true })));
        survive(nested(levels, |inner| json!({ "oneOf": [inner, { "type": "null" }] })));
        survive(nested(levels, |inner| json!({ "type": "object", "properties": { "a": inner } })));
    }
}

#[test]
fn size_is_bounded() {
    let many =
        json!({ "type": "object", "properties": { "a": { "enum": (0..100_000).collect::<Vec<_>>() } } });
    assert!(refused(ParametersSchema::from_json(many)).contains("more than 100000 values"));
}

#[test]
fn references_that_come_back_to_themselves_are_refused() {
    let itself = [
        json!({ "a": { "$ref": "#/$defs/a" } }),
        json!({ "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/c" }, "c": { "$ref": "#/$defs/a" } }),
        json!({ "a": { "anyOf": [{ "type": "string" }, { "$ref": "#/$defs/a" }] } }),
        json!({ "a": { "allOf": [{ "not": { "$ref": "#/$defs/b" } }] }, "b": { "if": { "$ref": "#/$defs/a" } } }),
        json!({ "a": { "dependentSchemas": { "x": { "oneOf": [{ "$ref": "#/$defs/a" }] } } } }),
    ];
    for definitions in itself {
        let schema =
            json!({ "type": "object", "properties": { "p": { "$ref": "#/$defs/a" } }, "$defs": definitions });
        let problems = refused(ParametersSchema::from_json(schema));
        assert!(problems.starts_with("/$defs/"), "{problems}");
        assert!(problems.contains("refers to itself without going into a property or an item"), "{problems}");
    }
    let root = json!({ "type": "object", "$ref": "#" });
    assert!(refused(ParametersSchema::from_json(root)).starts_with(": this schema refers to itself"));
    // Through a property or an item it is recursion.
    raw(
        json!({ "type": "object", "properties": { "p": { "$ref": "#" } }, "additionalProperties": { "$ref": "#" } }),
    );
}

/// Definitions that each hold what `link` makes of the name of the next one.
fn chain(length: usize, link: impl Fn(&str) -> Value, last: Value) -> Value {
    let mut definitions: Map<_, _> =
        (0..length).map(|number| (number.to_string(), link(&format!("#/$defs/{}", number + 1)))).collect();
    definitions.insert(length.to_string(), last);
    json!({ "type": "object", "properties": { "p": { "$ref": "#/$defs/0" } }, "required": ["p"], "$defs": definitions })
}

#[test]
fn long_chains_of_references_do_not_overflow_the_stack() {
    let text = json!({ "type": "string" });
    survive(chain(5_000, |next| json!({ "$ref": next }), text.clone()));
    survive(chain(5_000, |next| json!({ "$ref": next, "description": "a" }), text.clone()));
    survive(chain(5_000, |next| json!({ "anyOf": [{ "$ref": next, "title": "t" }] }), text.clone()));
    survive(chain(
        5_000,
        |next| json!({ "type": "array", "items": { "$ref": next, "title": "t" } }),
        text.clone(),
    ));
    survive(chain(
        5_000,
        |next| json!({ "oneOf": [{ "$ref": next }, { "type": "null" }] }),
        json!({ "$ref": "#/$defs/0/oneOf/1" }),
    ));
    survive(
        json!({ "$ref": "#/$defs/0", "$defs": chain(5_000, |next| json!({ "$ref": next }), json!({ "type": "object" }))["$defs"] }),
    );
    let problems = refused(
        raw(chain(200, |next| json!({ "type": "array", "items": { "$ref": next, "title": "t" } }), text))
            .to_strict(),
    );
    assert!(problems.contains("grows too large for strict"), "{problems}");
}

#[test]
fn doubling_by_references_is_bounded() {
    let text = json!({ "type": "string" });
    let twice = |next: &str| {
        json!({
            "type": "object",
            "properties": { "a": { "$ref": next, "description": "x" }, "b": { "$ref": next, "description": "y" } },
            "required": ["a", "b"],
        })
    };
    let problems = refused(raw(chain(40, twice, text.clone())).to_strict());
    assert!(problems.contains("grows too large for strict"), "{problems}");
    // Without text the references stand alone, and nothing is written out.
    let plain =
        |next: &str| json!({ "type": "array", "items": { "anyOf": [{ "$ref": next }, { "$ref": next }] } });
    raw(chain(40, plain, text.clone())).to_strict().unwrap();
    let exclusive = |next: &str| json!({ "oneOf": [{ "$ref": next }, { "$ref": next }] });
    survive(chain(60, exclusive, text));
}

#[test]
fn large_unions_and_lists_are_compared_within_bounds() {
    let objects: Vec<_> = (0..1_500)
        .map(|number| json!({ "type": "object", "properties": { "k": { "const": number } }, "required": ["k"] }))
        .collect();
    survive(json!({ "type": "object", "properties": { "a": { "oneOf": objects } } }));
    let lists: Vec<_> = (0..40).map(|_| json!({ "enum": (0..2_000).collect::<Vec<_>>() })).collect();
    survive(json!({ "type": "object", "properties": { "a": { "oneOf": lists } } }));
    let names: Vec<_> = (0..20_000).map(|number| number.to_string()).collect();
    let demanding = json!({ "type": "object", "required": names });
    let branches: Vec<_> = (0..200).map(|_| json!({ "$ref": "#/$defs/d" })).collect();
    survive(
        json!({ "type": "object", "properties": { "a": { "oneOf": branches } }, "$defs": { "d": demanding } }),
    );
}

#[test]
fn messages_are_bounded() {
    let long = "x".repeat(100_000);
    for property in
        [json!({ "$ref": long }), json!({ "$id": long }), json!({ "$ref": format!("#/$defs/{long}") })]
    {
        let problems = refused(ParametersSchema::from_json(
            json!({ "type": "object", "properties": { "a": property } }),
        ));
        assert!(problems.len() < 1_000, "{}", problems.len());
    }
    let wrong: Map<_, _> = (0..10_000).map(|number| (number.to_string(), json!({ "type": 1 }))).collect();
    let problems = refused(ParametersSchema::from_json(json!({ "type": "object", "properties": wrong })));
    assert_eq!(problems.lines().count(), 64);
}

/// Definitions of which each holds the next one twice, `how` the next one is held.
fn doubling(how: impl Fn(Value) -> Value) -> Value {
    let next = |level: usize| json!({ "$ref": format!("#/$defs/d{}", level + 1) });
    let mut definitions: Map<String, Value> =
        (0..60).map(|level| (format!("d{level}"), how(next(level)))).collect();
    definitions
        .insert("d60".to_owned(), json!({ "type": "object", "properties": { "x": { "type": "string" } } }));
    json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "allOf": [how(next(0))], "$defs": definitions })
}

#[test]
fn every_dialect_is_bounded() {
    let branches = |count: usize| -> Vec<Value> {
        let branch = |branch: usize| {
            let names = (0..count).map(|name| format!("p{branch}_{name}"));
            let properties: Map<String, Value> =
                names.map(|name| (name, json!({ "type": "string" }))).collect();
            json!({ "type": "object", "properties": properties })
        };
        (0..count).map(branch).collect()
    };
    let values: Vec<String> = (0..5_000).map(|value| format!("value {value}")).collect();
    let listed: Map<String, Value> =
        (0..5_000).map(|name| (format!("p{name}"), json!({ "$ref": "#/$defs/long" }))).collect();
    for schema in [
        doubling(|next| json!({ "type": "object", "properties": { "l": next, "r": next } })),
        doubling(|next| json!({ "type": "object", "allOf": [next, { "properties": { "r": next } }, next] })),
        doubling(
            |next| json!({ "type": "object", "anyOf": [next, { "required": ["x"] }, next], "minProperties": 1 }),
        ),
        doubling(|next| json!({ "$ref": next["$ref"], "minProperties": 1, "properties": { "r": next } })),
        json!({ "type": "object", "anyOf": branches(150) }),
        json!({ "type": "object", "properties": listed, "$defs": { "long": { "enum": values } } }),
    ] {
        let schema = raw(schema);
        let wires = [
            Some(schema.to_anthropic()),
            schema.to_anthropic_strict().ok(),
            schema.to_gemini(),
            schema.to_gemini_open_api(),
        ];
        for wire in wires.into_iter().flatten() {
            assert!(wire.to_string().len() < 10_000_000);
        }
    }
}
