//! Finds a schema that contains itself.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::reference::resolve;
use super::walk::{Child, Step, children};

/// The place of a schema that contains itself, if there is one.
pub(super) fn containing_itself(root: &Value) -> Option<String> {
    first_cycle(root, |_, _| true)
}

/// The same, but only where every value has to go on for ever or end in an empty list: what contains itself in a property
/// that may be left out does not count.
pub(super) fn always_containing_itself(root: &Value) -> Option<String> {
    first_cycle(root, |map, child| match (child.keyword, child.step) {
        ("properties", Some(Step::Name(name))) => {
            let required = map.get("required").and_then(Value::as_array);
            required.is_some_and(|names| names.iter().any(|required| required == name))
        }
        _ => true,
    })
}

/// Whether a walk goes from a schema into one of its parts.
type Enters = fn(&Map<String, Value>, &Child<'_>) -> bool;

fn first_cycle(root: &Value, enters: Enters) -> Option<String> {
    let mut all = references(root, root, |_, _| true);
    if let Some(Value::Object(definitions)) = root.get("$defs") {
        all.extend(definitions.values().flat_map(|schema| references(root, schema, |_, _| true)));
    }
    let mut done = HashSet::new();
    std::iter::once((String::new(), root))
        .chain(all)
        .find_map(|start| cycle_from(start, root, enters, &mut done))
}

fn cycle_from<'a>(
    start: (String, &'a Value),
    root: &'a Value,
    enters: Enters,
    done: &mut HashSet<String>,
) -> Option<String> {
    if done.contains(&start.0) {
        return None;
    }
    let mut open = HashMap::from([(start.0.clone(), ())]);
    let mut stack = vec![(start.0, references(root, start.1, enters).into_iter())];
    while let Some((pointer, next)) = stack.last_mut() {
        let Some((next, schema)) = next.next() else {
            open.remove(pointer);
            done.insert(std::mem::take(pointer));
            stack.pop();
            continue;
        };
        if open.contains_key(&next) {
            return Some(next);
        }
        if !done.contains(&next) {
            open.insert(next.clone(), ());
            stack.push((next, references(root, schema, enters).into_iter()));
        }
    }
    None
}

/// What `schema` refers to, by place. Its definitions are left aside.
fn references<'a>(root: &'a Value, schema: &'a Value, enters: Enters) -> Vec<(String, &'a Value)> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        let Some(map) = schema.as_object() else { continue };
        let target = map.get("$ref").and_then(Value::as_str).map(|reference| resolve(root, reference));
        if let Some(Ok(target)) = target {
            found.push((target.pointer, target.schema));
        }
        let is_definition = |child: &Child<'_>| matches!(child.keyword, "$defs" | "definitions");
        let inner = children(map).into_iter().filter(|child| !is_definition(child) && enters(map, child));
        open.extend(inner.map(|child| child.schema));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node(required: &[&str]) -> Value {
        json!({
            "type": "object",
            "properties": { "root": { "$ref": "#/$defs/node" } },
            "$defs": { "node": {
                "type": "object",
                "properties": { "next": { "$ref": "#/$defs/node" } },
                "required": required,
            } },
        })
    }

    #[test]
    fn a_schema_that_contains_itself_is_found_wherever_it_stands() {
        assert_eq!(containing_itself(&node(&[])).as_deref(), Some("/$defs/node"));
        let whole = json!({ "type": "object", "properties": { "a": { "$ref": "#" } } });
        assert_eq!(containing_itself(&whole).as_deref(), Some(""));
        let twice = json!({ "properties": { "a": { "$ref": "#/$defs/b" }, "c": { "$ref": "#/$defs/b" } }, "$defs": { "b": {} } });
        assert_eq!(containing_itself(&twice), None);
    }

    #[test]
    fn a_property_that_may_be_left_out_ends_it() {
        assert_eq!(always_containing_itself(&node(&[])), None);
        assert_eq!(always_containing_itself(&node(&["next"])).as_deref(), Some("/$defs/node"));
    }
}
