//! What a provider is shown is never tighter than what the author wrote.
#![cfg(feature = "validator")]

use std::collections::HashMap;

use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::ParametersSchema;

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "x1"]).prop_map(str::to_owned)
}

fn leaf() -> BoxedStrategy<Value> {
    let number =
        || prop_oneof![(-2..4_i64).prop_map(Value::from), prop::sample::select(vec![json!(0.5), json!(1.0)])];
    let bounds = prop::collection::vec(
        (prop::sample::select(vec!["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), number()),
        0..3,
    );
    let text = prop::collection::vec(
        prop::sample::select(vec![
            ("minLength", json!(1)),
            ("maxLength", json!(1)),
            ("pattern", json!("^a")),
            ("format", json!("date")),
            ("description", json!("A text.")),
        ]),
        0..3,
    );
    let with = |kind: Value, more: Vec<(&str, Value)>| {
        let mut map = Map::from_iter([("type".to_owned(), kind)]);
        map.extend(more.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)));
        Value::Object(map)
    };
    let listed = prop::sample::select(vec![
        json!(["a", "ab"]),
        json!(["a", null]),
        json!([1, 2]),
        json!([1, 2.5]),
        json!([true]),
        json!([true, false]),
        json!([null]),
        json!(["a", 1, null, {"a": 1}, [1]]),
    ]);
    prop_oneof![
        3 => (prop::sample::select(vec![json!("integer"), json!("number"), json!(["integer", "null"])]), bounds)
            .prop_map(move |(kind, more)| with(kind, more)),
        3 => (prop::sample::select(vec![json!("string"), json!(["string", "null"]), json!(["string", "integer"])]), text)
            .prop_map(move |(kind, more)| with(kind, more)),
        1 => listed.clone().prop_map(|values| json!({ "enum": values })),
        1 => listed.prop_map(|values| json!({ "type": ["string", "null"], "enum": values })),
        1 => prop::sample::select(vec![json!("a"), json!(1), json!(true), json!(null), json!({})])
            .prop_map(|value| json!({ "const": value })),
        1 => prop::sample::select(vec![
            json!({}), json!(true), json!({ "type": "boolean" }), json!({ "type": "null" }), json!({ "not": { "const": "a" } }),
            json!({ "minLength": 1, "minimum": 1, "properties": { "a": { "type": "string" } }, "items": { "type": "string" } }),
            json!(false),
        ]),
        3 => prop::sample::select(vec!["#/$defs/d", "#/$defs/e"]).prop_map(|reference| json!({ "$ref": reference })),
    ]
    .boxed()
}

fn object(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let properties = prop::collection::hash_map(name(), inner.clone(), 0..4);
    let rest = prop_oneof![
        3 => Just(None),
        3 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        1 => inner.clone().prop_map(Some),
    ];
    let more = prop::collection::vec(
        prop_oneof![
            Just(("minProperties", json!(1))),
            Just(("maxProperties", json!(2))),
            Just(("unevaluatedProperties", json!(false))),
            Just(("dependentRequired", json!({ "a": ["b"] }))),
            inner.prop_map(|schema| ("patternProperties", json!({ "^x": schema }))),
        ],
        0..2,
    );
    let required = prop::collection::hash_set(name(), 0..3);
    (properties, required, rest, more, any::<bool>())
        .prop_map(|(properties, required, rest, more, typed)| {
            let mut map = Map::new();
            if typed {
                map.insert("type".to_owned(), "object".into());
            }
            let properties: HashMap<String, Value> = properties;
            map.insert("properties".to_owned(), properties.into_iter().collect::<Map<_, _>>().into());
            map.insert("required".to_owned(), required.into_iter().collect());
            map.extend(rest.map(|rest| ("additionalProperties".to_owned(), rest)));
            map.extend(more.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)));
            Value::Object(map)
        })
        .boxed()
}

fn any_schema() -> BoxedStrategy<Value> {
    leaf()
        .prop_recursive(3, 24, 3, |inner| {
            let list = || prop::collection::vec(inner.clone(), 1..4);
            let counts = prop::collection::vec(
                prop::sample::select(vec![
                    ("minItems", json!(1)),
                    ("minItems", json!(2)),
                    ("maxItems", json!(1)),
                    ("maxItems", json!(3)),
                    ("uniqueItems", json!(true)),
                    ("items", json!(false)),
                ]),
                0..3,
            );
            let array = (prop::option::of(inner.clone()), prop::option::of(list()), counts).prop_map(
                |(items, places, counts)| {
                    let mut map = Map::from_iter([("type".to_owned(), "array".into())]);
                    map.extend(items.map(|items| ("items".to_owned(), items)));
                    map.extend(places.map(|places| ("prefixItems".to_owned(), places.into())));
                    map.extend(counts.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)));
                    Value::Object(map)
                },
            );
            prop_oneof![
                3 => object(inner.clone()),
                2 => array,
                2 => (prop::sample::select(vec!["anyOf", "oneOf", "allOf"]), list())
                    .prop_map(|(keyword, parts)| json!({ keyword: parts })),
                2 => (object(inner.clone()), prop::sample::select(vec!["anyOf", "oneOf", "allOf"]), list())
                    .prop_map(|(object, keyword, parts)| with(object, keyword, parts.into())),
                1 => (inner.clone(), prop::sample::select(vec!["#/$defs/d", "#/$defs/e"]))
                    .prop_map(|(beside, reference)| with(beside, "$ref", reference.into())),
            ]
        })
        .boxed()
}

fn with(schema: Value, keyword: &str, value: Value) -> Value {
    match schema {
        Value::Object(mut map) => {
            map.insert(keyword.to_owned(), value);
            Value::Object(map)
        }
        other => other,
    }
}

/// Parameters, as an author may write them.
fn any_parameters() -> impl Strategy<Value = Value> {
    let root = (
        object(any_schema()),
        prop::option::of((
            prop::sample::select(vec!["anyOf", "oneOf", "allOf"]),
            prop::collection::vec(object(any_schema()), 1..3),
        )),
    );
    (root, any_schema(), any_schema(), any::<bool>()).prop_map(|((root, union), d, e, refers)| {
        let mut root = with(root, "type", "object".into());
        if let Some((keyword, parts)) = union {
            root = with(root, keyword, parts.into());
        }
        if refers {
            root = with(root, "$ref", "#/$defs/e".into());
        }
        with(root, "$defs", json!({ "d": d, "e": e }))
    })
}

/// A value that may well fit `schema`; `choices` decides what is free.
fn sample(schema: &Value, root: &Value, choices: &mut dyn Iterator<Item = usize>, depth: usize) -> Value {
    let mut choose = |of: usize| choices.next().unwrap_or(0) % of.max(1);
    let any = [json!("a"), json!(1), json!(null), json!(true), json!({}), json!([]), json!("ab"), json!(0.5)];
    let Some(map) = schema.as_object().filter(|_| depth > 0) else { return any[choose(any.len())].clone() };
    if let Some(value) = map.get("const") {
        return value.clone();
    }
    if let Some(Value::Array(values)) = map.get("enum") {
        return values[choose(values.len())].clone();
    }
    let mut parts: Vec<&Value> = Vec::new();
    if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
        parts.extend(root.pointer(reference.trim_start_matches('#')));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = map.get(keyword) {
            parts.push(&branches[choose(branches.len())]);
        }
    }
    parts.extend(map.get("allOf").and_then(Value::as_array).into_iter().flatten());
    let names = match map.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name.as_str()],
        _ if map.contains_key("properties") => vec!["object"],
        _ => Vec::new(),
    };
    let own = match names.get(choose(names.len())).copied() {
        Some("object") => {
            let mut object = Map::new();
            for (name, property) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if !choices.next().unwrap_or(0).is_multiple_of(3) {
                    object.insert(name.clone(), sample(property, root, choices, depth - 1));
                }
            }
            for name in map.get("required").and_then(Value::as_array).into_iter().flatten() {
                object.entry(name.as_str().unwrap()).or_insert_with(|| "a".into());
            }
            Value::Object(object)
        }
        Some("array") => {
            let length = choices.next().unwrap_or(0) % 4;
            let at = |index: usize| {
                let place = map.get("prefixItems").and_then(|places| places.get(index));
                place.or_else(|| map.get("items")).unwrap_or(&Value::Bool(true))
            };
            (0..length).map(|index| sample(at(index), root, choices, depth - 1)).collect()
        }
        Some("string") => [json!(""), json!("a"), json!("ab"), json!("b")][choose(4)].clone(),
        Some("integer" | "number") => {
            [json!(-1), json!(0), json!(1), json!(2), json!(3), json!(0.5)][choose(6)].clone()
        }
        Some("boolean") => json!(true),
        Some(_) => Value::Null,
        None if parts.is_empty() => any[choose(any.len())].clone(),
        None => Value::Object(Map::new()),
    };
    parts.into_iter().fold(own, |own, part| match (own, sample(part, root, choices, depth - 1)) {
        (Value::Object(own), Value::Object(more)) => Value::Object(own.into_iter().chain(more).collect()),
        (Value::Object(own), other) if own.is_empty() => other,
        (own, _) => own,
    })
}

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap()
}

/// A dialect as JSON Schema: `nullable` is understood.
fn as_json_schema(wire: Value) -> Value {
    ParametersSchema::from_json(wire).unwrap().as_value().clone()
}

/// `value` with null for every property that `strict` demands and the value lacks.
fn with_nulls(value: &Value, strict: &Value, root: &Value) -> Value {
    if let Some(reference) = strict.get("$ref").and_then(Value::as_str) {
        return with_nulls(value, root.pointer(reference.trim_start_matches('#')).unwrap(), root);
    }
    if let Some(Value::Array(branches)) = strict.get("anyOf") {
        let fitting = branches.iter().find_map(|branch| {
            let value = with_nulls(value, branch, root);
            let alone = with(branch.clone(), "$defs", root.get("$defs").cloned().unwrap_or(json!({})));
            validator(&alone).is_valid(&value).then_some(value)
        });
        return fitting.unwrap_or_else(|| value.clone());
    }
    match (value, strict.get("properties"), strict.get("items")) {
        (Value::Object(map), Some(Value::Object(properties)), _) => {
            let mut filled = map.clone();
            for (name, property) in properties {
                let own = map.get(name).map_or(Value::Null, |value| with_nulls(value, property, root));
                filled.insert(name.clone(), own);
            }
            Value::Object(filled)
        }
        (Value::Array(values), _, Some(items)) => {
            values.iter().map(|value| with_nulls(value, items, root)).collect()
        }
        _ => value.clone(),
    }
}

/// Checks that each of `values` that fits the author's schema fits every dialect. Gives how many did.
fn check(author: &Value, values: &[Value]) -> usize {
    let Ok(schema) = ParametersSchema::from_json(author.clone()) else { return 0 };
    let own = validator(schema.as_value());
    let fitting: Vec<&Value> = values.iter().filter(|value| own.is_valid(value)).collect();
    let mut dialects = vec![
        ("plain", schema.to_wire()),
        ("OpenAI", schema.to_openai()),
        ("Anthropic", schema.to_anthropic()),
    ];
    dialects.extend(schema.to_anthropic_strict().ok().map(|strict| ("Anthropic's strict", strict)));
    dialects.extend(schema.to_gemini().map(|wire| ("Gemini", as_json_schema(wire))));
    dialects.extend(schema.to_gemini_open_api().map(|wire| ("Gemini's OpenAPI", as_json_schema(wire))));
    for (name, wire) in dialects {
        let validator = validator(&wire);
        for value in &fitting {
            assert!(validator.is_valid(value), "{name} refuses {value}\nauthor: {author}\nwire: {wire}");
        }
    }
    if let Ok(strict) = schema.to_strict() {
        let validator = validator(&strict);
        for value in &fitting {
            let value = with_nulls(value, &strict, &strict);
            assert!(validator.is_valid(&value), "strict refuses {value}\nauthor: {author}\nwire: {strict}");
        }
    }
    fitting.len()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_fits_the_authors_schema_fits_every_dialect(
        author in any_parameters(),
        choices in prop::collection::vec(any::<usize>(), 400),
    ) {
        let mut choices = choices.into_iter();
        let values: Vec<Value> = (0..20).map(|_| sample(&author, &author, &mut choices, 6)).collect();
        check(&author, &values);
    }
}

#[test]
fn the_samples_of_that_property_fit_often_enough() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut fitting = 0;
    for _ in 0..200 {
        let author = any_parameters().new_tree(&mut runner).unwrap().current();
        let choices = prop::collection::vec(any::<usize>(), 400).new_tree(&mut runner).unwrap().current();
        let mut choices = choices.into_iter();
        let values: Vec<Value> = (0..20).map(|_| sample(&author, &author, &mut choices, 6)).collect();
        fitting += check(&author, &values);
    }
    assert!(fitting > 200, "{fitting} of 4000");
}

#[test]
fn a_schema_that_comes_back_to_itself_beside_other_demands_ends() {
    let author = json!({
        "type": "object",
        "properties": { "a": { "$ref": "#/$defs/e" } },
        "$defs": { "e": { "properties": { "b": {
            "properties": {},
            "additionalProperties": true,
            "anyOf": [{ "$ref": "#/$defs/e" }],
        } } } },
    });
    let value = json!({ "a": { "b": { "b": { "b": 1, "c": 2 } } } });
    assert_eq!(check(&author, &[value]), 1);
    let wire = ParametersSchema::from_json(author).unwrap().to_gemini().unwrap();
    assert!(wire.to_string().len() < 2_000, "{wire}");
}
