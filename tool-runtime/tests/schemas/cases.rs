//! Faults that users of such software reported, one test each. What the arguments do is tested elsewhere.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::ParametersSchema;

use super::{assert_does_not_fit, assert_fits, empty, every_object, of, raw, refused};

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "op")]
enum Operation {
    Add { text: String },
    Drop { id: u32 },
}

#[test]
fn s_01_a_tagged_enum_at_the_root_is_refused() {
    let problems = refused(ParametersSchema::of::<Operation>());
    assert!(problems.contains("`Operation`"), "{problems}");
    assert!(problems.contains("put it in a field of a struct"), "{problems}");
}

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[derive(Deserialize, JsonSchema)]
struct Unit;

#[test]
fn s_02_no_parameters_are_the_closed_empty_object() {
    assert_eq!(*ParametersSchema::none().as_value(), empty());
    assert_eq!(ParametersSchema::none().to_wire(), empty());
    assert_eq!(ParametersSchema::none().to_strict().unwrap(), empty());
    for problems in [refused(ParametersSchema::of::<()>()), refused(ParametersSchema::of::<Unit>())] {
        assert!(problems.contains("its schema is null"), "{problems}");
        assert!(problems.contains("struct Params {}"), "{problems}");
    }
}

#[test]
fn s_03_an_empty_struct_has_properties() {
    assert_eq!(*of::<Empty>().as_value(), empty());
    assert_eq!(of::<Empty>().to_wire(), empty());
}

#[derive(Deserialize, JsonSchema)]
struct Forward {
    body: Value,
}

#[test]
fn s_04_any_value_is_refused_at_the_root_only() {
    let problems = refused(ParametersSchema::of::<Value>());
    assert!(problems.contains("`Value`") && problems.contains("any value"), "{problems}");
    let schema = of::<Forward>();
    assert_eq!(schema.as_value()["properties"], json!({ "body": {} }));
    assert_eq!(schema.as_value()["required"], json!(["body"]));
}

#[derive(Deserialize, JsonSchema)]
struct Payload {
    name: String,
    /// Anything.
    payload: Value,
    bare: Value,
    list: Vec<Value>,
    either: Option<Value>,
    pair: (Value, u8),
    by_name: BTreeMap<String, Value>,
}

#[test]
fn s_05_no_boolean_schema_is_published() {
    let schema = of::<Payload>();
    let wire = schema.to_wire();
    assert_eq!(wire["properties"]["payload"], json!({ "description": "Anything." }));
    assert_eq!(wire["properties"]["bare"], json!({}));
    assert_eq!(wire["properties"]["list"]["items"], json!({}));
    assert_eq!(wire["properties"]["either"], json!({}));
    assert_eq!(wire["properties"]["pair"]["prefixItems"][0], json!({}));
    assert_eq!(wire["properties"]["by_name"]["additionalProperties"], json!(true));
    assert_eq!(wire["required"], json!(["name", "payload", "bare", "list", "pair", "by_name"]));
    let problems = refused(schema.to_strict());
    assert!(problems.contains("/properties/payload: strict cannot say a value of any type"), "{problems}");
}

#[derive(Deserialize, JsonSchema)]
struct Numbers {
    limit: usize,
    retries: u32,
    ratio: f32,
}

#[test]
fn s_06_formats_of_rust_types_become_bounds() {
    let schema = of::<Numbers>();
    assert_eq!(
        schema.as_value()["properties"],
        json!({
            "limit": { "type": "integer", "minimum": 0 },
            "retries": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
            "ratio": { "type": "number" },
        })
    );
    assert_fits(&schema, &[json!({ "limit": 1, "retries": u32::MAX, "ratio": 0.5 })]);
    for retries in [json!(-1), json!(4_294_967_296_u64)] {
        assert_does_not_fit(&schema, &[json!({ "limit": 1, "retries": retries, "ratio": 0.5 })]);
    }
}

#[derive(Deserialize, JsonSchema)]
struct Walk {
    path: String,
    depth: Option<u32>,
}

#[test]
fn s_07_option_and_null_agree() {
    let schema = of::<Walk>();
    assert_eq!(schema.as_value()["required"], json!(["path"]));
    assert_eq!(schema.as_value()["properties"]["depth"]["type"], json!(["integer", "null"]));
    let fitting =
        [json!({"path": "a"}), json!({"path": "a", "depth": null}), json!({"path": "a", "depth": 2})];
    assert_fits(&schema, &fitting);
    for arguments in fitting {
        serde_json::from_value::<Walk>(arguments).unwrap();
    }
    assert_does_not_fit(&schema, &[json!({ "path": null })]);
}

#[test]
fn s_08_nullable_is_understood() {
    let schema = raw(json!({
        "type": "object",
        "properties": {
            "tag": { "type": "string", "nullable": true },
            "mode": { "type": "string", "enum": ["a", "b"], "nullable": true },
            "one": { "const": 1, "nullable": true },
            "not": { "type": "string", "nullable": false },
            "any": { "nullable": true, "description": "Anything." },
            "way": { "anyOf": [{ "type": "string" }, { "type": "integer" }], "nullable": true },
            "at": { "$ref": "#/$defs/at", "nullable": true, "description": "Where." },
            "nullable": { "type": "boolean" },
        },
        "$defs": { "at": { "type": "string" } },
    }));
    assert_eq!(
        schema.as_value()["properties"],
        json!({
            "tag": { "type": ["string", "null"] },
            "mode": { "type": ["string", "null"], "enum": ["a", "b", null] },
            "one": { "enum": [1, null] },
            "not": { "type": "string" },
            "any": { "description": "Anything." },
            "way": { "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] },
            "at": { "description": "Where.", "anyOf": [{ "$ref": "#/$defs/at" }, { "type": "null" }] },
            "nullable": { "type": "boolean" },
        })
    );
    assert_fits(
        &schema,
        &[json!({ "tag": null, "mode": null, "one": null, "any": null, "way": null, "at": null })],
    );
}

#[test]
fn s_09_no_dialect_and_no_title_on_the_wire() {
    let schema = raw(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://example.com/params",
        "title": "Params",
        "type": "object",
        "properties": {
            "q": { "type": "string" },
            "$schema": { "$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "title": "Q" },
            "title": { "type": "string", "default": { "$schema": "data" } },
        },
        "required": ["q", "$schema"],
    }));
    assert_eq!(
        schema.to_wire(),
        json!({
            "type": "object",
            "properties": {
                "q": { "type": "string" },
                "$schema": { "type": "string", "title": "Q" },
                "title": { "type": "string", "default": { "$schema": "data" } },
            },
            "required": ["q", "$schema"],
        })
    );
    assert_eq!(schema.as_value()["title"], "Params");
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Quick,
    /// Reads every file.
    FullScan,
}

#[derive(Deserialize, JsonSchema)]
struct Scan {
    mode: Mode,
    /// How.
    other: Option<Mode>,
}

#[test]
fn s_11_a_documented_unit_enum_stays_a_list_of_names() {
    let schema = of::<Scan>();
    assert_eq!(
        schema.as_value()["properties"],
        json!({
            "mode": {
                "type": "string",
                "enum": ["quick", "full_scan"],
                "description": "- `full_scan`: Reads every file.",
            },
            "other": {
                "type": ["string", "null"],
                "enum": ["quick", "full_scan", null],
                "description": "How.\n\n- `full_scan`: Reads every file.",
            },
        })
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Action {
    /// Ends it.
    Stop {
        reason: String,
    },
    Start {
        at: String,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Step {
    id: u32,
    #[serde(flatten)]
    action: Action,
}

#[derive(Deserialize, JsonSchema)]
struct Plan {
    steps: Vec<Step>,
}

#[test]
fn s_12_a_flattened_enum_is_refused_at_the_root_and_merged_inside() {
    let problems = refused(ParametersSchema::of::<Step>());
    assert!(problems.contains("`Step`"), "{problems}");
    assert!(problems.contains("a flattened enum belongs in a field of its own"), "{problems}");

    let schema = of::<Plan>();
    let id = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    assert_eq!(
        schema.as_value()["properties"]["steps"]["items"],
        json!({
            "anyOf": [
                {
                    "type": "object",
                    "description": "Ends it.",
                    "properties": {
                        "id": id,
                        "kind": { "type": "string", "const": "Stop" },
                        "reason": { "type": "string" },
                    },
                    "required": ["id", "kind", "reason"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "id": id,
                        "kind": { "type": "string", "const": "Start" },
                        "at": { "type": "string" },
                    },
                    "required": ["id", "kind", "at"],
                    "additionalProperties": false,
                },
            ],
        })
    );
    let step = json!({ "id": 7, "kind": "Stop", "reason": "done" });
    assert_fits(&schema, &[json!({ "steps": [step] })]);
    assert_does_not_fit(&schema, &[json!({ "steps": [{ "id": 7, "kind": "Stop", "at": "noon" }] })]);
    let Step { id: 7, action: Action::Stop { reason } } = serde_json::from_value(step).unwrap() else {
        panic!("another step")
    };
    assert_eq!(reason, "done");
    schema.to_strict().unwrap();
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Paged {
    a: u32,
    #[serde(flatten)]
    page: Page,
}

#[derive(Deserialize, JsonSchema)]
struct Page {
    from: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    a: u32,
    #[serde(flatten)]
    action: Action,
}

#[derive(Deserialize, JsonSchema)]
struct Nested {
    inner: Closed,
}

#[test]
fn s_13_flatten_with_deny_unknown_fields_is_one_closed_object() {
    let schema = of::<Paged>();
    assert_eq!(schema.as_value()["required"], json!(["a", "from"]));
    assert_eq!(schema.as_value()["additionalProperties"], json!(false));
    assert_fits(&schema, &[json!({ "a": 1, "from": 2 })]);
    assert_does_not_fit(&schema, &[json!({ "a": 1, "from": 2, "to": 3 })]);

    refused(ParametersSchema::of::<Closed>());
    let schema = of::<Nested>();
    every_object(&schema.to_wire(), &mut |map| assert!(!map.contains_key("unevaluatedProperties")));
    assert_fits(&schema, &[json!({ "inner": { "a": 1, "kind": "Start", "at": "noon" } })]);
    assert_does_not_fit(&schema, &[json!({ "inner": { "a": 1, "kind": "Start", "at": "noon", "x": 1 } })]);
}

#[derive(Deserialize, JsonSchema)]
struct Keywords {
    title: String,
    r#type: String,
    description: Option<String>,
    format: String,
    default: u8,
    properties: Vec<String>,
    #[serde(rename = "$ref")]
    reference: String,
    #[serde(rename = "$schema")]
    dialect: String,
    #[serde(rename = "enum")]
    choices: Vec<Value>,
    #[serde(rename = "anyOf")]
    any_of: String,
    nullable: bool,
    required: bool,
    #[serde(rename = "additionalProperties")]
    rest: bool,
}

#[test]
fn s_14_no_parameter_is_lost_by_its_name() {
    let names = [
        "title",
        "type",
        "description",
        "format",
        "default",
        "properties",
        "$ref",
        "$schema",
        "enum",
        "anyOf",
        "nullable",
        "required",
        "additionalProperties",
    ];
    let schema = of::<Keywords>();
    for published in [schema.as_value().clone(), schema.to_wire()] {
        let properties = published["properties"].as_object().unwrap();
        assert_eq!(properties.keys().collect::<Vec<_>>(), names);
        let required: Vec<_> = names.into_iter().filter(|name| *name != "description").collect();
        assert_eq!(published["required"], json!(required));
        assert_eq!(published["additionalProperties"], json!(false));
        assert_eq!(properties["$ref"], json!({ "type": "string" }));
    }

    let mut value = schema.as_value().clone();
    value["properties"]["enum"] = json!({ "type": "string", "enum": ["title", "$ref"] });
    let strict = raw(value).to_strict().unwrap();
    assert_eq!(strict["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), names);
    assert_eq!(strict["required"], json!(names));
}

#[derive(Deserialize, JsonSchema)]
struct Created {
    #[serde(rename(serialize = "createdAt", deserialize = "created_at"))]
    created_at: String,
    #[serde(skip_deserializing)]
    trace: String,
    #[serde(default)]
    count: u8,
    #[serde(alias = "colour")]
    color: String,
    #[serde(flatten)]
    page: Page,
}

#[test]
fn s_16_names_are_those_for_reading() {
    let schema = of::<Created>();
    let properties = schema.as_value()["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["created_at", "count", "color", "from"]);
    assert_eq!(schema.as_value()["required"], json!(["created_at", "color", "from"]));
    assert_eq!(properties["count"]["default"], json!(0));
}

#[derive(Deserialize, JsonSchema)]
struct Sum {
    x: i32,
    y: i32,
}

#[test]
fn s_17_required_follows_from_the_types() {
    let schema = of::<Sum>();
    assert_eq!(schema.as_value()["required"], json!(["x", "y"]));
    assert_does_not_fit(&schema, &[json!({ "x": 1 })]);
}

/// Finds notes.
///
/// Order:
/// - open
///   - unread first
#[derive(Deserialize, JsonSchema)]
struct Notes {
    /// # Query
    ///
    /// Words:
    ///
    ///     a AND b
    q: String,
    /// # Only a heading
    h: Heading,
}

/// ## Of a type
///  indented
#[derive(Deserialize, JsonSchema)]
struct Heading {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
struct Titled {
    heading: Heading,
}

#[test]
fn s_18_descriptions_keep_their_lines() {
    let schema = of::<Notes>();
    let value = schema.as_value();
    assert_eq!(value["description"], "Finds notes.\n\nOrder:\n- open\n  - unread first");
    assert_eq!(value["properties"]["q"]["description"], "# Query\n\nWords:\n\n    a AND b");
    every_object(value, &mut |map| assert!(!map.contains_key("title")));
    let titled = of::<Titled>();
    assert_eq!(titled.as_value()["properties"]["heading"]["description"], "# Of a type\n\nindented");
}

#[test]
fn s_19_strict_is_whole_or_nothing() {
    let schema = json!({
        "type": "object",
        "properties": { "q": { "type": "string" }, "n": { "type": "integer" } },
        "required": ["q"],
    });
    assert_eq!(
        raw(schema.clone()).to_strict().unwrap(),
        json!({
            "type": "object",
            "properties": { "q": { "type": "string" }, "n": { "type": ["integer", "null"] } },
            "required": ["q", "n"],
            "additionalProperties": false,
        })
    );
    let mut half = schema;
    half["properties"]["free"] = json!({ "type": "object", "additionalProperties": true });
    half["properties"]["any"] = json!({});
    let schema = raw(half.clone());
    let problems = refused(schema.to_strict());
    assert!(problems.contains("/properties/free: strict cannot say an object with free keys"), "{problems}");
    assert!(problems.contains("/properties/any: strict cannot say a value of any type"), "{problems}");
    assert_eq!(*schema.as_value(), half);
}

#[derive(Deserialize, JsonSchema)]
struct Fetch {
    url: String,
    headers: BTreeMap<String, String>,
}

#[test]
fn s_20_a_map_is_never_closed() {
    let schema = of::<Fetch>();
    let headers = &schema.to_wire()["properties"]["headers"];
    assert_eq!(headers["additionalProperties"], json!({ "type": "string" }));
    assert_fits(&schema, &[json!({ "url": "a", "headers": { "b": "c" } })]);
    let problems = refused(schema.to_strict());
    assert_eq!(problems.lines().count(), 1);
    assert!(problems.starts_with("/properties/headers: "), "{problems}");
}

#[derive(Deserialize, JsonSchema)]
enum Speed {
    Fast,
    Slow,
}

#[derive(Deserialize, JsonSchema)]
struct Run {
    mode: Option<Speed>,
}

#[test]
fn s_21_a_nullable_enum_lists_null() {
    let mode = json!({ "type": ["string", "null"], "enum": ["Fast", "Slow", null] });
    let schema = of::<Run>();
    assert_eq!(schema.as_value()["properties"]["mode"], mode);
    assert_eq!(schema.to_strict().unwrap()["properties"]["mode"], mode);
    assert!(serde_json::from_value::<Run>(json!({ "mode": null })).unwrap().mode.is_none());
    let optional =
        raw(json!({ "type": "object", "properties": { "m": { "enum": ["a", "b"] }, "c": { "const": 1 } } }));
    assert_eq!(
        optional.to_strict().unwrap()["properties"],
        json!({
            "m": { "type": ["string", "null"], "enum": ["a", "b", null] },
            "c": { "type": ["integer", "null"], "enum": [1, null] },
        })
    );
}

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// Where to look.
    scope: Scope,
}

#[derive(Deserialize, JsonSchema)]
struct Scope {
    root: String,
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    name: String,
    /// What is below.
    first: Option<Box<Tree>>,
    all: Vec<Tree>,
}

#[test]
fn s_22_text_beside_a_reference_survives() {
    let scope = &of::<Search>().to_strict().unwrap()["properties"]["scope"];
    assert_eq!(scope["description"], "Where to look.");
    assert_eq!(scope["required"], json!(["root"]));

    let strict = of::<Tree>().to_strict().unwrap();
    assert_eq!(
        strict["properties"]["first"],
        json!({ "description": "What is below.", "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "null" }] })
    );
    assert_eq!(strict["properties"]["all"]["items"], json!({ "$ref": "#/$defs/Tree" }));
    assert_eq!(strict["$defs"]["Tree"]["required"], json!(["name", "first", "all"]));

    let raw = raw(json!({
        "type": "object",
        "properties": {
            "scope": { "$ref": "#/$defs/scope", "description": "Where to look." },
            "tree": { "$ref": "#/$defs/tree", "description": "The whole." },
            "bare": { "$ref": "#/$defs/scope" },
        },
        "required": ["scope", "tree", "bare"],
        "$defs": {
            "scope": { "type": "object", "properties": { "root": { "type": "string" } }, "required": ["root"] },
            "tree": {
                "type": "object",
                "description": "A tree.",
                "properties": { "next": { "$ref": "#/$defs/tree", "description": "Below." } },
            },
        },
    }));
    let strict = raw.to_strict().unwrap();
    every_object(&strict, &mut |map| assert!(!map.contains_key("$ref") || map.len() == 1));
    assert_eq!(strict["properties"]["scope"]["description"], "Where to look.");
    assert_eq!(strict["properties"]["scope"]["type"], "object");
    assert_eq!(strict["properties"]["tree"]["description"], "The whole.\n\nA tree.");
    assert_eq!(strict["properties"]["tree"]["properties"]["next"]["description"], "Below.");
    assert_eq!(strict["$defs"]["tree"]["properties"]["next"]["description"], "Below.");
    assert_eq!(strict["properties"]["bare"], json!({ "$ref": "#/$defs/scope" }));
}

#[derive(Deserialize, JsonSchema)]
struct Edit {
    action: Operation,
    last: Option<Operation>,
}

#[test]
fn s_23_a_tagged_enum_in_a_field_is_a_closed_any_of() {
    let schema = of::<Edit>();
    let strict = schema.to_strict().unwrap();
    every_object(&strict, &mut |map| assert!(!map.contains_key("oneOf")));
    let branches = json!([
        {
            "type": "object",
            "properties": { "op": { "type": "string", "const": "Add" }, "text": { "type": "string" } },
            "required": ["op", "text"],
            "additionalProperties": false,
        },
        {
            "type": "object",
            "properties": {
                "op": { "type": "string", "const": "Drop" },
                "id": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
            },
            "required": ["op", "id"],
            "additionalProperties": false,
        },
    ]);
    assert_eq!(strict["properties"]["action"], json!({ "anyOf": branches }));
    assert_eq!(schema.as_value()["properties"]["action"], json!({ "anyOf": branches }));
    assert_eq!(strict["properties"]["last"]["anyOf"].as_array().unwrap().len(), 3);
    assert_fits(&schema, &[json!({ "action": { "op": "Add", "text": "a" }, "last": null })]);
    assert_does_not_fit(&schema, &[json!({ "action": { "op": "Add", "id": 1 } })]);
}

fn ten() -> u32 {
    10
}

#[derive(Deserialize, JsonSchema)]
struct Defaults {
    q: String,
    #[serde(default = "ten")]
    limit: u32,
    note: Option<String>,
}

#[test]
fn s_24_defaults_are_words_in_strict() {
    let schema = of::<Defaults>();
    assert_eq!(schema.as_value()["required"], json!(["q"]));
    let strict = schema.to_strict().unwrap();
    every_object(&strict, &mut |map| assert!(!map.contains_key("default")));
    assert_eq!(strict["required"], json!(["q", "limit", "note"]));
    assert_eq!(
        strict["properties"]["limit"],
        json!({
            "type": ["integer", "null"],
            "minimum": 0,
            "maximum": u32::MAX,
            "description": "Default `10`.",
        })
    );
    assert_eq!(strict["properties"]["note"]["type"], json!(["string", "null"]));
}
