//! Enums, as short as they can be said.

use serde_json::{Map, Value, json};

use super::super::description;
use super::super::nullable::admit_null_in_place;

/// One doc comment on a unit variant makes schemars spell the enum as a union of single values. Here the names are listed
/// again, and the variants' texts stand in the description next to their names:
///
/// ```text
/// {"oneOf": [{"type": "string", "enum": ["quick"]}, {"type": "string", "const": "full", "description": "Reads all."}]}
/// {"type": "string", "enum": ["quick", "full"], "description": "- `full`: Reads all."}
/// ```
///
/// Variants with content stay branches of the union.
pub(super) fn unit_variants_into_enum(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get_mut(keyword) else { continue };
        let (units, others): (Vec<_>, Vec<_>) =
            std::mem::take(branches).into_iter().partition(|branch| unit_names(branch).is_some());
        let stay = if units.len() > usize::from(!others.is_empty()) {
            let listed = listed(&units);
            if others.is_empty() && !schema.contains_key("enum") {
                schema.remove(keyword);
                replace_by(schema, listed);
                continue;
            }
            vec![Value::Object(listed)]
        } else {
            units
        };
        schema.insert(keyword.to_owned(), stay.into_iter().chain(others).collect());
    }
}

/// One enum with all names of `units`, and their texts.
fn listed(units: &[Value]) -> Map<String, Value> {
    let mut names: Vec<Value> = Vec::new();
    for name in units.iter().filter_map(unit_names).flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let mut listed = Map::new();
    listed.insert("type".to_owned(), "string".into());
    listed.insert("enum".to_owned(), names.into());
    let texts: Vec<_> = units.iter().filter_map(text_of_variants).collect();
    description::append(&mut listed, &texts.join("\n"));
    listed
}

/// Puts what `inner` says in the place of a union; the text of `schema` comes first.
fn replace_by(schema: &mut Map<String, Value>, mut inner: Map<String, Value>) {
    let text = inner.remove("description");
    schema.extend(inner);
    description::append(schema, text.as_ref().and_then(Value::as_str).unwrap_or_default());
}

/// The names that a branch of unit variants admits; nothing if it is another kind of branch.
fn unit_names(branch: &Value) -> Option<Vec<&Value>> {
    let map = branch.as_object()?;
    let known = |key: &String| matches!(key.as_str(), "type" | "enum" | "const" | "description");
    if map.get("type").and_then(Value::as_str) != Some("string") || !map.keys().all(known) {
        return None;
    }
    let names: Vec<_> = match (map.get("enum"), map.get("const")) {
        (Some(Value::Array(names)), None) => names.iter().collect(),
        (None, Some(name)) => vec![name],
        _ => return None,
    };
    names.iter().all(|name| name.is_string()).then_some(names)
}

/// A list entry with the names and the text of a documented branch. Further lines stand under the first, as in Markdown.
fn text_of_variants(branch: &Value) -> Option<String> {
    let text = branch.get("description")?.as_str()?;
    let names: Vec<_> =
        unit_names(branch)?.into_iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
    let mut entry = format!("- {}: ", names.join(", "));
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            entry.push('\n');
            if !line.is_empty() {
                entry.push_str("  ");
            }
        }
        entry.push_str(line);
    }
    Some(entry)
}

/// An optional enum is a union in a union; one level says the same.
pub(super) fn nested_unions_into_one(schema: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = schema.remove("anyOf") else { return };
    let mut flat: Vec<Value> = Vec::with_capacity(branches.len());
    for branch in branches {
        match inner_union(&branch) {
            Some(inner) => {
                flat.extend(inner.iter().cloned());
                if let Some(text) = branch.get("description").and_then(Value::as_str) {
                    description::append(schema, text);
                }
            }
            None => flat.push(branch),
        }
    }
    schema.insert("anyOf".to_owned(), Value::Array(flat));
}

/// The branches of a schema that is a union and nothing else.
fn inner_union(branch: &Value) -> Option<&Vec<Value>> {
    let map = branch.as_object()?;
    let only_union = map.keys().all(|key| key == "anyOf" || key == "description");
    if only_union { map.get("anyOf")?.as_array() } else { None }
}

/// An optional enum of names takes null among its names.
pub(super) fn null_into_enum(schema: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = schema.get("anyOf") else { return };
    let null = json!({ "type": "null" });
    let inner = match branches.as_slice() {
        [Value::Object(inner), other] | [other, Value::Object(inner)]
            if *other == null && inner.contains_key("enum") =>
        {
            inner
        }
        _ => return,
    };
    if inner.keys().any(|key| key != "description" && schema.contains_key(key)) {
        return;
    }
    let mut inner = inner.clone();
    admit_null_in_place(&mut inner);
    schema.remove("anyOf");
    replace_by(schema, inner);
}
