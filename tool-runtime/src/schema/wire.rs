//! The schema as it goes to a provider that does not enforce it.

use serde_json::{Map, Value, json};

use super::keywords::takes_objects;
use super::merge::merge;
use super::reference::resolve;
use super::walk::inside_out;

/// A root may be a chain of references; one longer than this is left as it is.
const MAX_CHAIN: usize = 16;

/// What `root` means, without what providers refuse: `$schema`, a root `$id` and title, schemas that are `true` or `false`,
/// objects without `properties`, a root that says only by a reference that it is an object.
pub(super) fn to_wire(root: &Value) -> Value {
    let mut wire = root.clone();
    if let Value::Object(map) = &mut wire {
        say_object(map, root);
        map.remove("title");
        map.remove("$id");
    }
    inside_out(&mut wire, &mut |schema, keyword| {
        spell_out(schema, keyword);
        if let Value::Object(map) = schema {
            map.remove("$schema");
            if takes_objects(map) {
                map.entry("properties").or_insert_with(|| json!({}));
            }
        }
    });
    wire
}

/// `true` and `{}` admit the same values, but as a property, an item or a branch not every provider takes the first. Whether
/// an object or a list is open is told by `true` and `false` everywhere.
pub(super) fn spell_out(schema: &mut Value, keyword: &str) {
    let tells_openness = matches!(
        keyword,
        "additionalItems" | "additionalProperties" | "unevaluatedItems" | "unevaluatedProperties"
    );
    match schema {
        Value::Bool(any) if !tells_openness => *schema = if *any { json!({}) } else { json!({ "not": {} }) },
        _ => {}
    }
}

/// Writes at the root what its `$ref` or its only part says, as far as that is exact.
fn say_object(schema: &mut Map<String, Value>, root: &Value) {
    for _ in 0..MAX_CHAIN {
        let mut merged = schema.clone();
        let reference = merged.remove("$ref");
        let other = match reference.as_ref().and_then(Value::as_str) {
            Some(reference) => resolve(root, reference).ok().map(|target| target.schema.clone()),
            None => match merged.remove("allOf") {
                Some(Value::Array(mut parts)) if parts.len() == 1 => parts.pop(),
                _ => None,
            },
        };
        match other {
            Some(Value::Object(other)) if merge(&mut merged, &other).is_ok() => *schema = merged,
            _ => break,
        }
    }
    schema.insert("type".to_owned(), "object".into());
}
