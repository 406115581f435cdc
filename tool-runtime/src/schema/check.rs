//! Whether a schema can be worked with at all: bounded, well formed, its references closed, its root an object.

use std::collections::{HashMap, HashSet};
use std::ptr;

use serde_json::{Map, Value};

use super::keywords::{fault, types};
use super::reference::resolve;
use super::walk::{Path, children, shown};
use crate::error::SchemaProblem;

/// The deepest nesting of lists and objects in a schema; serde_json's parser has the same bound.
pub(super) const MAX_DEPTH: usize = 128;
/// The most JSON values in a schema.
const MAX_VALUES: usize = 100_000;
/// More problems than this are not listed.
pub(super) const MAX_PROBLEMS: usize = 64;

/// Whether `schema` is small enough for passes that call themselves.
pub(super) fn bounded(schema: &Value) -> Result<(), SchemaProblem> {
    let mut count = 0_usize;
    let mut open = vec![(schema, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        count += 1;
        if depth > MAX_DEPTH {
            return Err(Path::ROOT.problem(format!(
                "the schema is nested more than {MAX_DEPTH} levels deep; move inner schemas under `$defs`"
            )));
        }
        if count > MAX_VALUES {
            return Err(Path::ROOT.problem(format!("the schema holds more than {MAX_VALUES} values")));
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// Whether every keyword of a bounded schema is well formed, and every reference leads somewhere and goes on.
pub(super) fn sound(root: &Value) -> Result<(), Vec<SchemaProblem>> {
    let mut check = Check { root, referring: Vec::new(), problems: Vec::new() };
    check.schema(root, Path::ROOT);
    if check.problems.is_empty() {
        check.endless_references();
    }
    if check.problems.is_empty() { Ok(()) } else { Err(check.problems) }
}

/// Whether the root of a sound schema admits objects only.
pub(super) fn object_root(root: &Value) -> Result<(), SchemaProblem> {
    // What must hold for the root as a whole: itself, what it refers to, and all parts of an `allOf`.
    let mut open = vec![root];
    let mut seen = HashSet::new();
    let mut other = None;
    while let Some(schema) = open.pop() {
        let Value::Object(map) = schema else { continue };
        if !seen.insert(ptr::from_ref(schema)) {
            continue;
        }
        match types(map).as_deref() {
            Some(["object"]) => return Ok(()),
            Some(types) => other = Some(types.join("` or `")),
            None => {}
        }
        open.extend(target(root, map));
        open.extend(map.get("allOf").and_then(Value::as_array).into_iter().flatten());
    }
    Err(Path::ROOT.problem(match other {
        Some(types) => format!(
            "the root admits `{types}`, but arguments are always one object; write `\"type\": \"object\"` and \
             put the value under a property"
        ),
        None => "the root does not say that it is an object; write `\"type\": \"object\"` there".to_owned(),
    }))
}

fn target<'a>(root: &'a Value, schema: &Map<String, Value>) -> Option<&'a Value> {
    let reference = schema.get("$ref")?.as_str()?;
    resolve(root, reference).ok().map(|target| target.schema)
}

struct Check<'a> {
    root: &'a Value,
    /// The schemas that hold a `$ref`.
    referring: Vec<&'a Value>,
    problems: Vec<SchemaProblem>,
}

impl<'a> Check<'a> {
    fn report(&mut self, path: Path<'_>, message: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(path.problem(message));
        }
    }

    fn schema(&mut self, schema: &'a Value, path: Path<'_>) {
        let Value::Object(map) = schema else {
            if !schema.is_boolean() {
                self.report(path, "a schema is an object (or `true` or `false`)");
            }
            return;
        };
        for (keyword, value) in map {
            let path = path.name(keyword);
            if let Some(expected) = fault(keyword, value) {
                self.report(path, format!("`{keyword}` must be {expected}"));
                continue;
            }
            match (keyword.as_str(), value) {
                ("$ref", Value::String(reference)) => {
                    self.referring.push(schema);
                    if let Err(message) = resolve(self.root, reference) {
                        self.report(path, message);
                    }
                }
                ("$dynamicRef" | "$recursiveRef", _) => {
                    self.report(path, format!("`{keyword}` is not supported; write `$ref`"));
                }
                ("$id", Value::String(id)) if !ptr::eq(schema, self.root) => self.report(
                    path,
                    format!("`{}` gives an inner schema an identity of its own; leave `$id` out", shown(id)),
                ),
                _ => {}
            }
        }
        let well_formed = |keyword| map.get(keyword).is_some_and(|value| fault(keyword, value).is_none());
        for child in children(map).into_iter().filter(|child| well_formed(child.keyword)) {
            let under = path.name(child.keyword);
            self.schema(child.schema, under.step(child.step));
        }
    }

    /// A reference that comes back to itself without going into a value would be followed for ever.
    fn endless_references(&mut self) {
        enum State {
            Open,
            Done,
        }
        let mut states = HashMap::new();
        for start in self.referring.clone() {
            if states.contains_key(&ptr::from_ref(start)) {
                continue;
            }
            states.insert(ptr::from_ref(start), State::Open);
            let mut stack = vec![(start, self.of_the_same_value(start).into_iter())];
            while let Some((schema, next)) = stack.last_mut() {
                let Some(next) = next.next() else {
                    states.insert(ptr::from_ref(*schema), State::Done);
                    stack.pop();
                    continue;
                };
                match states.get(&ptr::from_ref(next)) {
                    Some(State::Done) => {}
                    Some(State::Open) => {
                        let place = pointer_to(self.root, next, Path::ROOT).unwrap_or_default();
                        self.report(
                            Path::At(&place),
                            "this schema refers to itself without going into a property or an item, so no \
                             value can be checked against it",
                        );
                    }
                    None => {
                        states.insert(ptr::from_ref(next), State::Open);
                        stack.push((next, self.of_the_same_value(next).into_iter()));
                    }
                }
            }
        }
    }

    /// The schemas that look at the same value as `schema` does.
    fn of_the_same_value(&self, schema: &'a Value) -> Vec<&'a Value> {
        let Value::Object(map) = schema else { return Vec::new() };
        let same = |keyword: &str| {
            matches!(
                keyword,
                "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" | "dependentSchemas"
            )
        };
        let inner = children(map).into_iter().filter(|child| same(child.keyword)).map(|child| child.schema);
        target(self.root, map).into_iter().chain(inner).collect()
    }
}

fn pointer_to(schema: &Value, wanted: &Value, path: Path<'_>) -> Option<String> {
    if ptr::eq(schema, wanted) {
        return Some(path.to_string());
    }
    children(schema.as_object()?).into_iter().find_map(|child| {
        let under = path.name(child.keyword);
        pointer_to(child.schema, wanted, under.step(child.step))
    })
}
