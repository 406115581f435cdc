//! Writes out what references stand for.

use serde_json::{Map, Value, json};

use super::check::MAX_DEPTH;
use super::description::described;
use super::keywords::{decides, types};
use super::reference::resolve;
use super::walk::{Below, below, size};

/// JSON values that are written beyond those of the author; from there on parts of a schema are left out.
const MAX_MORE_VALUES: usize = 20_000;

/// `root` without references. A schema that stands within itself again is only named there, so the whole admits what `root`
/// admits, and perhaps more.
pub(super) fn written_out(root: &Value) -> Value {
    Writing { root, within: Vec::new(), depth: 0, left: size(root).saturating_add(MAX_MORE_VALUES) }
        .schema(root)
}

struct Writing<'a> {
    root: &'a Value,
    /// The places of what is being written.
    within: Vec<String>,
    depth: usize,
    /// JSON values that may still be written.
    left: usize,
}

impl<'a> Writing<'a> {
    fn schema(&mut self, schema: &'a Value) -> Value {
        let Value::Object(map) = schema else { return schema.clone() };
        if self.depth >= MAX_DEPTH || !self.afford(1) {
            return json!({});
        }
        self.depth += 1;
        let written = self.object(map);
        self.depth -= 1;
        Value::Object(written)
    }

    fn afford(&mut self, values: usize) -> bool {
        let left = self.left.checked_sub(values);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    fn object(&mut self, map: &'a Map<String, Value>) -> Map<String, Value> {
        let mut written = Map::new();
        for (keyword, value) in map {
            let value = match (below(keyword), value) {
                _ if matches!(keyword.as_str(), "$ref" | "$defs" | "definitions") => continue,
                (Below::Schema, schema) => self.schema(schema),
                (Below::List, Value::Array(list)) => list.iter().map(|schema| self.schema(schema)).collect(),
                (Below::Named, Value::Object(named)) => {
                    let named = named.iter().map(|(name, schema)| (name.clone(), self.schema(schema)));
                    Value::Object(named.collect())
                }
                _ => {
                    if !self.afford(size(value)) {
                        continue;
                    }
                    value.clone()
                }
            };
            written.insert(keyword.clone(), value);
        }
        match map.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.reference(reference, written),
            None => written,
        }
    }

    /// What `reference` stands for, with `beside` beside it.
    fn reference(&mut self, reference: &str, mut beside: Map<String, Value>) -> Map<String, Value> {
        let Ok(target) = resolve(self.root, reference) else { return beside };
        let target_schema = if self.within.contains(&target.pointer) {
            Value::Object(named_again(target.schema, &target.pointer))
        } else {
            self.within.push(target.pointer);
            let written = self.schema(target.schema);
            self.within.pop();
            written
        };
        match target_schema {
            Value::Object(target) if !beside.keys().any(|keyword| decides(keyword)) => {
                described(beside, target)
            }
            target => {
                match beside.get_mut("allOf") {
                    Some(Value::Array(parts)) => parts.push(target),
                    _ => drop(beside.insert("allOf".to_owned(), json!([target]))),
                }
                beside
            }
        }
    }
}

/// What is left of a schema within itself: its type, and a word.
fn named_again(schema: &Value, pointer: &str) -> Map<String, Value> {
    let mut left = Map::new();
    let Some(map) = schema.as_object() else { return left };
    if let Some(name) = map.get("type").filter(|_| types(map).is_some()) {
        left.insert("type".to_owned(), name.clone());
    }
    let name = pointer.rsplit('/').next().filter(|name| !name.is_empty());
    let text = match name {
        Some(name) => format!("Again a `{name}`, like the one that it stands in."),
        None => "Again all parameters.".to_owned(),
    };
    left.insert("description".to_owned(), text.into());
    left
}
