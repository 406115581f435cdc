//! What the value of each keyword must look like. Keywords that are not listed have no meaning in a schema and may hold anything.

use serde_json::{Map, Value};

/// The names of the JSON types.
pub(super) const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// What `value` would have to be to stand under `keyword`; nothing if it may stand there.
pub(super) fn fault(keyword: &str, value: &Value) -> Option<&'static str> {
    let (fits, expected) = match keyword {
        "type" => (is_type(value), "the name of a JSON type, or a list of different ones"),
        "enum" => (is_filled_list(value), "a list of at least one value"),
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            (value.is_object(), "an object that has a schema under each name")
        }
        "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
            (is_filled_list(value), "a list of at least one schema")
        }
        "items" => (!value.is_array(), "one schema; a tuple is written with `prefixItems`"),
        "required" => (is_names(value), "a list of different names, and stands beside `properties`"),
        "dependentRequired" => (
            value.as_object().is_some_and(|lists| lists.values().all(is_names)),
            "an object that has a list of different names under each name",
        ),
        "minimum" | "maximum" => (value.is_number(), "a number"),
        "exclusiveMinimum" | "exclusiveMaximum" => (
            value.is_number(),
            "a number; draft 4 wrote `true` here, beside the number in `minimum` or `maximum`",
        ),
        "multipleOf" => (value.as_f64().is_some_and(|step| step > 0.0), "a number above 0"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains"
        | "minProperties" | "maxProperties" => (is_count(value), "a whole number from 0"),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => (value.is_boolean(), "`true` or `false`"),
        "$ref" | "$schema" | "$id" | "$anchor" | "$comment" | "title" | "description" | "format"
        | "pattern" | "contentEncoding" | "contentMediaType" => (value.is_string(), "a text"),
        "examples" => (value.is_array(), "a list of values"),
        _ => (true, ""),
    };
    (!fits).then_some(expected)
}

/// The types that `schema` names, nothing if it names none.
pub(super) fn types(schema: &Map<String, Value>) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Whether `schema` says that it takes objects, alone or beside other types.
pub(super) fn takes_objects(schema: &Map<String, Value>) -> bool {
    types(schema).is_some_and(|types| types.contains(&"object"))
}

/// Whether `value` is of the JSON type `name`.
pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

/// Whether `keyword` decides which values fit. All others only tell something, or mean nothing.
pub(super) fn decides(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref"
            | "additionalItems"
            | "additionalProperties"
            | "allOf"
            | "anyOf"
            | "const"
            | "contains"
            | "dependencies"
            | "dependentRequired"
            | "dependentSchemas"
            | "else"
            | "enum"
            | "exclusiveMaximum"
            | "exclusiveMinimum"
            | "format"
            | "if"
            | "items"
            | "maxContains"
            | "maxItems"
            | "maxLength"
            | "maxProperties"
            | "maximum"
            | "minContains"
            | "minItems"
            | "minLength"
            | "minProperties"
            | "minimum"
            | "multipleOf"
            | "not"
            | "oneOf"
            | "pattern"
            | "patternProperties"
            | "prefixItems"
            | "properties"
            | "propertyNames"
            | "required"
            | "then"
            | "type"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "uniqueItems"
    )
}

fn is_type(value: &Value) -> bool {
    let is_name = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    is_name(value)
        || value.as_array().is_some_and(|names| {
            !names.is_empty() && names.len() <= TYPES.len() && names.iter().all(is_name) && all_differ(names)
        })
}

fn is_filled_list(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty())
}

fn is_names(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string) && all_differ(names))
}

fn all_differ(names: &[Value]) -> bool {
    let different: std::collections::HashSet<_> = names.iter().filter_map(Value::as_str).collect();
    different.len() == names.len()
}

fn is_count(value: &Value) -> bool {
    value.is_u64() || value.as_f64().is_some_and(|number| number >= 0.0 && number.fract() == 0.0)
}
