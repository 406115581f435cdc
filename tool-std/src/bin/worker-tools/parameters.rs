//! The parameters of a tool, as rows for people.

use serde_json::{Map, Value};

/// Objects within objects beyond this depth are not opened.
const MAX_DEPTH: usize = 8;

/// One parameter.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Parameter {
    /// Where it stands: `path`, `todos[].id`.
    pub(crate) name: String,
    /// `string`, `array of object`, …
    pub(crate) kind: String,
    pub(crate) required: bool,
    /// Bounds and listed values, in words; empty if there are none.
    pub(crate) limits: String,
    pub(crate) default: Option<Value>,
    /// A paragraph or an item of a list is a line.
    pub(crate) description: String,
}

/// The parameters that a schema describes, those of inner objects behind the one that holds them.
pub(crate) fn parameters(schema: &Value) -> Vec<Parameter> {
    let mut rows = Vec::new();
    open(schema, schema, "", 0, &mut rows);
    rows
}

/// Adds the rows of the object `schema`, whose parameters are named behind `prefix`.
fn open(root: &Value, schema: &Value, prefix: &str, depth: usize, rows: &mut Vec<Parameter>) {
    if depth > MAX_DEPTH {
        return;
    }
    for branch in branches(root, schema) {
        if let Some(items) = branch.get("items") {
            open(root, items, &format!("{}[].", prefix.trim_end_matches('.')), depth + 1, rows);
        }
        let Some(properties) = branch.get("properties").and_then(Value::as_object) else { continue };
        for (key, property) in properties {
            let name = format!("{prefix}{key}");
            let inner = format!("{name}.");
            rows.push(row(root, branch, key, property, name));
            open(root, property, &inner, depth + 1, rows);
        }
    }
}

fn row(root: &Value, object: &Map<String, Value>, key: &str, schema: &Value, name: String) -> Parameter {
    let required = object.get("required").and_then(Value::as_array);
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    Parameter {
        name,
        kind: kind(root, schema),
        required: required.is_some_and(|required| required.iter().any(|required| required == key)),
        limits: branches(root, schema).into_iter().map(limits).filter(|limits| !limits.is_empty()).fold(
            String::new(),
            |all, limits| if all.is_empty() { limits } else { format!("{all}, or {limits}") },
        ),
        default: schema.get("default").filter(|default| !default.is_null()).cloned(),
        description: unbroken(description),
    }
}

/// A text whose lines were broken where its source ended them, with one line for a paragraph and for an item of a list.
fn unbroken(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in text.lines().map(str::trim) {
        match lines.last_mut() {
            Some(last) if goes_on && !line.is_empty() && !line.starts_with("- ") => {
                *last = format!("{last} {line}")
            }
            _ if line.is_empty() => {}
            _ => lines.push(line.to_owned()),
        }
        goes_on = !line.is_empty();
    }
    lines.join("\n")
}

/// What a value may be: the schema itself, or the members of its union, without `null`. References are followed.
fn branches<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Map<String, Value>> {
    let Some(map) = follow(root, schema).as_object() else { return Vec::new() };
    let members = ["anyOf", "oneOf"].iter().find_map(|keyword| map.get(*keyword)?.as_array());
    let Some(members) = members else { return vec![map] };
    let members = members.iter().filter_map(|member| follow(root, member).as_object());
    members.filter(|member| member.get("type").is_none_or(|kind| kind != "null")).collect()
}

fn follow<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let pointer =
        schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn kind(root: &Value, schema: &Value) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for branch in branches(root, schema) {
        for kind in kinds_of(root, branch) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    if kinds.is_empty() { "any".to_owned() } else { kinds.join(" or ") }
}

fn kinds_of(root: &Value, schema: &Map<String, Value>) -> Vec<String> {
    let named: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect()
        }
        _ if schema.contains_key("enum") || schema.contains_key("const") => vec!["one of"],
        _ => Vec::new(),
    };
    let values = schema.get("additionalProperties").filter(|values| !values.is_boolean());
    let in_words = |kind: &str| match (kind, schema.get("items"), values) {
        ("array", Some(items), _) => format!("array of {}", self::kind(root, items)),
        ("object", _, Some(values)) => format!("map of {}", self::kind(root, values)),
        _ => kind.to_owned(),
    };
    named.into_iter().map(in_words).collect()
}

fn limits(schema: &Map<String, Value>) -> String {
    let mut words = Vec::new();
    let bound = |keyword: &str| schema.get(keyword).filter(|bound| bound.is_number());
    for (low, high, unit) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
        ("minProperties", "maxProperties", " keys"),
    ] {
        match (bound(low), bound(high)) {
            (Some(low), Some(high)) => words.push(format!("{low} to {high}{unit}")),
            (Some(low), None) => words.push(format!("at least {low}{}", one(low, unit))),
            (None, Some(high)) => words.push(format!("at most {high}{}", one(high, unit))),
            (None, None) => {}
        }
    }
    for (keyword, before) in [
        ("exclusiveMinimum", "more than"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ] {
        words.extend(bound(keyword).map(|bound| format!("{before} {bound}")));
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        words.push(format!("matches `{pattern}`"));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let values: Vec<String> = values.iter().filter(|value| !value.is_null()).map(quoted).collect();
        words.push(values.join(", "));
    }
    words.extend(schema.get("const").map(quoted));
    if let Some(items) = schema.get("items").and_then(Value::as_object) {
        let of_each = limits(items);
        if !of_each.is_empty() {
            words.push(format!("each {of_each}"));
        }
    }
    words.join("; ")
}

/// The unit of a number that may be 1.
fn one<'a>(number: &Value, unit: &'a str) -> &'a str {
    if number == 1 { unit.trim_end_matches('s') } else { unit }
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(property: Value) -> String {
        let schema = json!({"type": "object", "properties": {"a": property}, "required": ["a"], "$defs": {"d": {"type": "boolean"}}});
        let row = |row: Parameter| format!("{} {} ({})", row.name, row.kind, row.limits);
        parameters(&schema).into_iter().map(row).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn kinds_and_limits_in_words() {
        for (property, expected) in [
            (json!({"type": "string", "minLength": 1}), "a string (at least 1 character)"),
            (json!({"type": ["integer", "null"], "minimum": 1, "maximum": 2000}), "a integer (1 to 2000)"),
            (
                json!({"type": "array", "maxItems": 4, "items": {"type": "string", "maxLength": 9}}),
                "a array of string (at most 4 items; each at most 9 characters)",
            ),
            (json!({"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]}), "a boolean ()"),
            (
                json!({"anyOf": [{"type": "string", "minLength": 2}, {"type": "array", "items": {"type": "string"}}]}),
                "a string or array of string (at least 2 characters)",
            ),
            (json!({"type": "string", "enum": ["x", "y"]}), "a string (`x`, `y`)"),
            (json!({"type": "object", "additionalProperties": {"type": "string"}}), "a map of string ()"),
            (
                json!({"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}),
                "a number (more than 0; a multiple of 0.5)",
            ),
            (json!({}), "a any ()"),
        ] {
            assert_eq!(shown(property), expected);
        }
    }

    #[test]
    fn a_description_is_not_broken_within_a_paragraph() {
        assert_eq!(unbroken("One\ntwo.\n\nThree:\n- a\n  b\n- c\n"), "One two.\nThree:\n- a b\n- c");
    }

    #[test]
    fn parameters_within_parameters_stand_behind_them() {
        let schema = json!({"type": "object", "properties": {
            "list": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}},
            "one": {"anyOf": [{"type": "object", "properties": {"deep": {"type": "boolean"}}}, {"type": "null"}]},
        }});
        let rows = parameters(&schema);
        let names: Vec<(&str, bool)> = rows.iter().map(|row| (row.name.as_str(), row.required)).collect();
        assert_eq!(names, [("list", false), ("list[].id", true), ("one", false), ("one.deep", false)]);
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let schema = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
        assert_eq!(parameters(&schema).len(), MAX_DEPTH + 1);
    }
}
