//! Flattened enums. What schemars gives cannot be closed: `additionalProperties` beside a union sees only the properties that
//! stand next to it, not those of the branches. Here each branch gets all the fields of the object:
//!
//! ```text
//! {"properties": {"id": …}, "oneOf": [{"properties": {"stop": …}}, {"properties": {"start": …}}]}
//! {"anyOf": [{"properties": {"id": …, "stop": …}}, {"properties": {"id": …, "start": …}}]}
//! ```

use serde_json::{Map, Value, json};

use super::super::description;
use super::super::keywords::{takes_objects, types};

/// More combinations than this are left as they are, and open.
const MAX_BRANCHES: usize = 256;
const UNIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

type Object = Map<String, Value>;

/// Gives the fields of an object to each branch of the unions beside them.
pub(super) fn union_beside_fields_into_branches(schema: &mut Object) {
    if !takes_objects(schema) || !UNIONS.iter().any(|keyword| schema.contains_key(*keyword)) {
        return;
    }
    let mut object = schema.clone();
    let outer: Object = ["description", "default", "$defs"]
        .into_iter()
        .filter_map(|keyword| object.remove_entry(keyword))
        .collect();
    match alternatives(&object) {
        Some(branches) if !branches.is_empty() => {
            *schema = outer;
            schema.insert("anyOf".to_owned(), branches.into_iter().map(Value::Object).collect());
        }
        _ => open_branches(schema),
    }
}

/// Branches that stay beside the fields must let those fields through.
fn open_branches(schema: &mut Object) {
    for keyword in UNIONS {
        for branch in schema.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            let Value::Object(branch) = branch else { continue };
            if branch.get("additionalProperties") == Some(&Value::Bool(false)) {
                branch.remove("additionalProperties");
            }
            open_branches(branch);
        }
    }
}

/// The plain objects of which one must fit for `schema` to fit; nothing if it cannot be said so.
fn alternatives(schema: &Object) -> Option<Vec<Object>> {
    let mut plain = schema.clone();
    plain.retain(|keyword, _| !UNIONS.contains(&keyword.as_str()));
    let mut found = vec![plain];
    for keyword in UNIONS {
        let Some(parts) = schema.get(keyword) else { continue };
        let parts: Vec<_> = parts
            .as_array()?
            .iter()
            .map(|part| match part {
                Value::Object(part) if part.contains_key("$ref") => None,
                Value::Object(part) => alternatives(part),
                _ => None,
            })
            .collect::<Option<_>>()?;
        if keyword == "allOf" {
            for part in parts {
                found = each_with_each(&found, &part)?;
            }
        } else {
            found = each_with_each(&found, &parts.concat())?;
        }
    }
    Some(found)
}

fn each_with_each(left: &[Object], right: &[Object]) -> Option<Vec<Object>> {
    if left.len() * right.len() > MAX_BRANCHES {
        return None;
    }
    Some(left.iter().flat_map(|left| right.iter().filter_map(move |right| both(left, right))).collect())
}

/// The object that has the fields of both; nothing if one of them is no object.
fn both(left: &Object, right: &Object) -> Option<Object> {
    if types(right).is_some_and(|types| !types.contains(&"object")) {
        return None;
    }
    let mut merged = left.clone();
    merged.insert("type".to_owned(), "object".into());
    let left_is_open = |keyword: &str| left.get(keyword).is_some_and(|rest| rest != &Value::Bool(false));
    for (keyword, value) in right {
        match (keyword.as_str(), merged.get_mut(keyword), value) {
            ("type", _, _) => {}
            ("description", _, Value::String(text)) => description::append(&mut merged, text),
            ("properties", Some(Value::Object(present)), Value::Object(more)) => {
                present.extend(more.iter().map(|(name, schema)| (name.clone(), schema.clone())));
            }
            ("required", Some(Value::Array(present)), Value::Array(more)) => {
                let new: Vec<_> = more.iter().filter(|name| !present.contains(name)).cloned().collect();
                present.extend(new);
            }
            // A branch was closed for itself; whether the whole is open was said beside the fields.
            ("additionalProperties", _, Value::Bool(false))
                if left_is_open("additionalProperties") || left_is_open("unevaluatedProperties") => {}
            ("additionalProperties", _, rest) => {
                merged.insert(keyword.clone(), rest.clone());
            }
            (_, Some(_), _) => {}
            (_, None, value) => {
                merged.insert(keyword.clone(), value.clone());
            }
        }
    }
    if let Some(rest) = merged.remove("unevaluatedProperties") {
        merged.entry("additionalProperties").or_insert(rest);
    }
    merged.entry("required").or_insert_with(|| json!([]));
    Some(merged)
}
