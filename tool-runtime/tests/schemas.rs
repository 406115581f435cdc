//! Schemas of parameters: made from types, taken from authors, sent to providers.
#![allow(dead_code, reason = "the fields of the types here are read by derives only")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "the functions here are called by tests only")]

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use tool_runtime::{ParametersSchema, SchemaProblem};

#[path = "schemas/cases.rs"]
mod cases;
#[path = "schemas/generated.rs"]
mod generated;
#[path = "schemas/hostile.rs"]
mod hostile;
#[path = "schemas/projections.rs"]
mod projections;
#[path = "schemas/raw.rs"]
mod raw;
#[path = "schemas/strict.rs"]
mod strict;

/// The schema of `P`, which every test reads as the author's schema and as it goes out.
fn of<P: JsonSchema>() -> ParametersSchema {
    ParametersSchema::of::<P>().unwrap()
}

fn raw(value: Value) -> ParametersSchema {
    ParametersSchema::from_json(value).unwrap()
}

/// The problems of a schema that is refused, as lines `path: message`.
#[track_caller]
fn refused<T>(result: Result<T, Vec<SchemaProblem>>) -> String {
    let Err(problems) = result else { panic!("this schema should be refused") };
    problems.iter().map(|problem| format!("{}: {}\n", problem.path, problem.message)).collect()
}

/// Whether `arguments` fit the author's schema, as the general validator sees it. Without that feature nothing is checked.
#[track_caller]
fn assert_fits(schema: &ParametersSchema, arguments: &[Value]) {
    check(schema.as_value(), arguments, true);
    check(&schema.to_wire(), arguments, true);
    check(&schema.to_openai(), arguments, true);
}

/// The opposite of [`assert_fits`].
#[track_caller]
fn assert_does_not_fit(schema: &ParametersSchema, arguments: &[Value]) {
    check(schema.as_value(), arguments, false);
}

#[cfg(feature = "validator")]
#[track_caller]
fn check(schema: &Value, arguments: &[Value], fits: bool) {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    for value in arguments {
        assert_eq!(validator.is_valid(value), fits, "{value} against {schema:#}");
    }
}

#[cfg(not(feature = "validator"))]
fn check(_: &Value, _: &[Value], _: bool) {}

/// Calls `visit` on every object within `value`, schemas or not.
fn every_object(value: &Value, visit: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| every_object(item, visit)),
        Value::Object(map) => {
            visit(map);
            map.values().for_each(|member| every_object(member, visit));
        }
        _ => {}
    }
}

fn empty() -> Value {
    json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false })
}
