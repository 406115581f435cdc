//! Tools as Gemini gets them.

use serde_json::{Value, json};
use tests::wire::{any_arguments, parse, tool};
use tool_runtime::provider::gemini::{Settings, encode_tools};
use tool_runtime::{ParametersSchema, ToolSet, ToolSpec};

use crate::{catalog, fixture, set};

fn declarations(settings: &Settings, set: &ToolSet) -> Value {
    parse(&encode_tools(settings, set))[0]["functionDeclarations"].take()
}

/// What is sent of parameters, in both forms.
fn both(schema: Value) -> [Value; 2] {
    let schema = ParametersSchema::from_json(schema).unwrap();
    [schema.to_gemini().unwrap(), schema.to_gemini_open_api().unwrap()]
}

#[test]
fn every_kind_of_tool_is_encoded_in_the_authors_order() {
    let text = encode_tools(&Settings::new("m"), &catalog());
    assert_eq!(parse(&text), parse(fixture!("gemini/tools.json")), "{text}");
    let text = encode_tools(&Settings::new("m").open_api(), &catalog());
    assert_eq!(parse(&text), parse(fixture!("gemini/tools_open_api.json")), "{text}");
}

#[test]
fn s_10_an_exclusive_minimum() {
    let schema = json!({"type": "object", "properties": {
        "n": {"type": "integer", "exclusiveMinimum": 0}, "r": {"type": "number", "exclusiveMinimum": 0}}});
    for sent in both(schema) {
        assert_eq!(sent["properties"]["n"], json!({"type": "integer", "minimum": 1}));
        let loose = json!({"type": "number", "minimum": 0, "description": "Above 0."});
        assert_eq!(sent["properties"]["r"], loose);
    }
}

#[test]
fn s_15_a_tuple_has_prefix_items_and_no_items() {
    let place = |kind: &str| json!({"type": kind});
    let tuple = |places: [&str; 2]| json!({"type": "array", "prefixItems": places.map(place), "minItems": 2, "maxItems": 2});
    let schema = json!({"type": "object", "properties": {
        "at": tuple(["number", "number"]), "label": tuple(["string", "integer"])}});
    let [json_schema, open_api] = both(schema.clone());
    assert_eq!(json_schema["properties"], schema["properties"]);
    assert_eq!(
        open_api["properties"],
        json!({
            "at": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            "label": {
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                "minItems": 2,
                "maxItems": 2,
                "description": "In this order: string, integer.",
            },
        })
    );
}

#[test]
fn tools_that_are_not_loaded_are_left_out_until_they_are() {
    let mut set = catalog();
    let names = |set: &ToolSet| -> Vec<String> {
        let declarations = declarations(&Settings::new("m"), set);
        let names =
            declarations.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap().to_owned());
        names.collect()
    };
    assert_eq!(names(&set), ["read_file", "crm__find", "apply_patch", "price", "crm__sql"]);
    set.load(Some("crm"), "delete");
    assert_eq!(names(&set)[3], "crm__delete");
}

#[test]
fn parameters_that_hold_nothing_are_left_out() {
    let set = set(vec![tool(ToolSpec::new("f", "Does."), &json!({})), any_arguments("g")]);
    let json = declarations(&Settings::new("m"), &set);
    assert_eq!(json[0], json!({"name": "f", "description": "Does."}));
    assert_eq!(json[1]["parametersJsonSchema"], json!({"type": "object", "additionalProperties": true}));
    let open_api = declarations(&Settings::new("m").open_api(), &set);
    assert_eq!(open_api[1], json!({"name": "g", "description": "Echoes."}));
}

#[test]
fn no_unknown_keyword_is_sent() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "c",
        "title": "T",
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"], "minLength": 1, "pattern": "^a", "format": "uri", "default": "x"},
            "b": {"const": 1},
            "c": {"enum": ["x", null]},
            "d": {"type": "object", "propertyNames": {"pattern": "^x"}, "additionalProperties": {"type": "integer"}},
            "e": {"oneOf": [{"type": "string"}, {"type": "null"}]},
            "f": {"type": "boolean", "readOnly": true, "x-mine": 1},
            "g": {"type": "array", "uniqueItems": true, "contains": {"type": "string"}},
            "h": {"$ref": "#/$defs/h", "description": "An h."},
            "multipleOf": {"type": "integer", "multipleOf": 5},
        },
        "required": ["a", "nowhere"],
        "additionalProperties": false,
        "$defs": {"h": {"type": "object", "properties": {"x": {"type": "integer", "format": "int32"}}}},
    });
    let [json_schema, open_api] = both(schema);
    assert_eq!(
        json_schema,
        json!({
            "type": "object",
            "properties": {
                "a": {"type": ["string", "null"], "description": "At least 1 character, matches `^a`, format `uri`, default `\"x\"`."},
                "b": {"type": "integer", "enum": [1]},
                "c": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]},
                "d": {"type": "object", "additionalProperties": {"type": "integer"}},
                "e": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "f": {"type": "boolean"},
                "g": {"type": "array", "description": "No item twice."},
                "h": {"anyOf": [{"$ref": "#/$defs/h"}], "description": "An h."},
                "multipleOf": {"type": "integer", "description": "A multiple of 5."},
            },
            "required": ["a"],
            "additionalProperties": false,
            "$defs": {"h": {"type": "object", "properties": {"x": {"type": "integer"}}}},
        })
    );
    assert_eq!(
        open_api,
        json!({
            "type": "object",
            "properties": {
                "a": {"type": "string", "nullable": true, "minLength": 1, "pattern": "^a", "description": "Format `uri`, default `\"x\"`."},
                "b": {"type": "integer", "description": "Always `1`."},
                "c": {"type": "string", "enum": ["x"], "nullable": true},
                "d": {"type": "object"},
                "e": {"type": "string", "nullable": true},
                "f": {"type": "boolean"},
                "g": {"type": "array", "items": {}, "description": "No item twice."},
                "h": {"type": "object", "properties": {"x": {"type": "integer", "format": "int32"}}, "description": "An h."},
                "multipleOf": {"type": "integer", "description": "A multiple of 5."},
            },
            "required": ["a"],
        })
    );
}

#[test]
fn what_contains_itself_is_kept_where_that_may_end() {
    let schema = |required: Value| {
        json!({
            "type": "object",
            "properties": {"list": {"$ref": "#/$defs/node"}},
            "$defs": {"node": {
                "type": "object",
                "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/node"}},
                "required": required,
            }},
        })
    };
    let ends = schema(json!(["value"]));
    let [json_schema, open_api] = both(ends.clone());
    assert_eq!(json_schema, ends);
    let cut = json!({
        "type": "object",
        "properties": {
            "value": {"type": "integer"},
            "next": {"type": "object", "description": "Again a `node`, like the one that it stands in."},
        },
        "required": ["value"],
    });
    assert_eq!(open_api["properties"]["list"], cut);
    let [json_schema, _] = both(schema(json!(["next"])));
    assert_eq!(json_schema["properties"]["list"]["properties"]["next"], cut["properties"]["next"]);
    assert_eq!(json_schema.get("$defs"), None);
}

#[test]
fn parts_that_all_hold_become_one_object() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {
            "allOf": [{"$ref": "#/$defs/base"}, {"type": "object", "properties": {"y": {"type": "string"}}, "required": ["y"]}],
        }},
        "$defs": {"base": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}},
    });
    for sent in both(schema) {
        assert_eq!(
            sent["properties"]["a"],
            json!({
                "type": "object",
                "properties": {"x": {"type": "integer"}, "y": {"type": "string"}},
                "required": ["x", "y"],
            })
        );
    }
}
