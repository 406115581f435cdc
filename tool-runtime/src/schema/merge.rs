//! Says two schemas that must both hold as one, where that is exact.

use serde_json::{Map, Value};

use super::description;
use super::keywords::decides;

/// Keywords that look at each other: they keep their meaning only together.
const GROUPS: &[&[&str]] = &[
    &["additionalProperties", "patternProperties", "properties", "unevaluatedProperties"],
    &["additionalItems", "items", "prefixItems", "unevaluatedItems"],
    &["contains", "maxContains", "minContains"],
    &["else", "if", "then"],
];

/// Adds what `other` demands to `schema`. Where both tell something, `schema` is heard, and texts are joined.
/// Definitions of `other` are left where they are.
///
/// # Errors
///
/// The keyword of `other` that cannot be said beside those of `schema`.
pub(super) fn merge<'a>(
    schema: &mut Map<String, Value>,
    other: &'a Map<String, Value>,
) -> Result<(), &'a str> {
    let clashes = |keyword: &str| {
        GROUPS.iter().filter(|group| group.contains(&keyword)).any(|group| {
            group.iter().any(|key| schema.contains_key(*key) && schema.get(*key) != other.get(*key))
        })
    };
    let clash = other.iter().find(|(keyword, value)| {
        let present = schema.get(*keyword).is_some_and(|present| present != *value);
        decides(keyword) && *keyword != "required" && (present || clashes(keyword))
    });
    if let Some((keyword, _)) = clash {
        return Err(keyword);
    }
    for (keyword, value) in other {
        match (keyword.as_str(), value) {
            ("$defs" | "definitions", _) => {}
            ("description", Value::String(text)) => description::append(schema, text),
            ("required", Value::Array(more)) => {
                if let Some(Value::Array(names)) = schema.get_mut("required") {
                    let new: Vec<_> = more.iter().filter(|name| !names.contains(name)).cloned().collect();
                    names.extend(new);
                } else {
                    schema.insert(keyword.clone(), value.clone());
                }
            }
            _ => {
                schema.entry(keyword.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    Ok(())
}
