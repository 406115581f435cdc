//! Any bytes as the arguments of tools with a few schemas.

#![no_main]

use std::sync::LazyLock;

use fuzz::Subject;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let schemas = [
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "minLength": 1, "maxLength": 40},
                "offset": {"type": "integer", "minimum": 1},
                "limit": {"type": ["integer", "null"], "maximum": 2000},
                "deep": {"type": "boolean"},
            },
            "required": ["path"],
            "additionalProperties": false,
        }),
        json!({
            "type": "object",
            "properties": {
                "edits": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "old": {"type": "string"},
                            "pattern": {"type": "string", "pattern": "^[a-z\\\\]+$"},
                            "count": {"type": "number", "exclusiveMinimum": 0},
                        },
                        "required": ["old"],
                        "additionalProperties": false,
                    },
                    "minItems": 1,
                    "uniqueItems": true,
                },
                "kind": {"enum": ["a", "b", null, 1]},
            },
        }),
        json!({
            "type": "object",
            "properties": {
                "shape": {"oneOf": [
                    {
                        "type": "object",
                        "properties": {"t": {"const": "circle"}, "r": {"type": "number"}},
                        "required": ["t", "r"],
                        "additionalProperties": false,
                    },
                    {
                        "type": "object",
                        "properties": {"t": {"const": "many"}, "of": {"type": "array", "items": {"$ref": "#/properties/shape"}}},
                        "required": ["t", "of"],
                        "additionalProperties": false,
                    },
                    {"type": "null"},
                ]},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 3},
                "either": {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 3}, {"type": "array"}]},
            },
        }),
        json!({"type": "object"}),
        json!({
            "type": "object",
            "properties": {"list": {"type": "array", "contains": {"type": "integer"}}},
            "dependentRequired": {"a": ["b"]},
        }),
    ];
    schemas.iter().map(|schema| Subject::new(schema).unwrap()).collect()
});

fuzz_target!(|text: &str| {
    for subject in SUBJECTS.iter() {
        subject.check(text);
    }
});
