//! One object in place of a union of objects or of parts that must all hold, for places where a provider takes nothing else.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::description;
use super::keywords::{takes_objects, types};
use super::reference::resolve;

/// Unions within unions, parts and references that are looked into.
const MAX_DEPTH: usize = 16;
/// Branches, parts and properties that are looked at, all together; what is beyond counts as an object that may hold anything.
const MAX_STEPS: usize = 200_000;

/// `schema` without `$ref`, `allOf`, `anyOf` and `oneOf`. Every object that fits `schema` fits it too; what tied properties
/// together is told in the description. References are looked up in `root`.
pub(super) fn one_object(schema: &Map<String, Value>, root: &Value) -> Map<String, Value> {
    let mut plain = schema.clone();
    let combined = ["$ref", "allOf", "anyOf", "oneOf"].map(|keyword| plain.remove(keyword).is_some());
    if combined == [false; 4] {
        return plain;
    }
    let whole = Looking { root, steps: MAX_STEPS }.at(schema, MAX_DEPTH);
    plain.remove("unevaluatedProperties");
    plain.insert("properties".to_owned(), Value::Object(whole.properties));
    plain.insert("required".to_owned(), whole.required.into());
    if whole.keys.is_some() {
        plain.insert("additionalProperties".to_owned(), false.into());
    }
    if let Some(text) = whole.description {
        description::append(&mut plain, &text);
    }
    if let Some(words) = whole.choice {
        description::append(&mut plain, &words);
    }
    plain
}

/// What every object has that fits a schema.
#[derive(Default)]
struct View {
    /// The properties, where they are there.
    properties: Map<String, Value>,
    /// Those that are there.
    required: Vec<String>,
    /// All keys that there may be; `None` if there may be any.
    keys: Option<HashSet<String>>,
    /// A text of what the schema refers to.
    description: Option<String>,
    /// Which properties have to be there, if that is a choice.
    choice: Option<String>,
}

/// A look at schemas of one document.
struct Looking<'a> {
    root: &'a Value,
    steps: usize,
}

impl Looking<'_> {
    fn afford(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.is_some()
    }

    fn at(&mut self, schema: &Map<String, Value>, depth: usize) -> View {
        let size = |keyword: &str| match schema.get(keyword) {
            Some(Value::Object(named)) => named.len(),
            Some(Value::Array(list)) => list.len(),
            _ => 0,
        };
        let Some(depth) = depth.checked_sub(1) else { return View::default() };
        if !self.afford(1 + size("properties") + size("required")) {
            return View::default();
        }
        let mut view = View::of_itself(schema);
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|reference| resolve(self.root, reference).ok());
        let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for part in target.map(|target| target.schema).into_iter().chain(parts) {
            if let Value::Object(part) = part {
                let part_view = self.at(part, depth);
                let own = part.get("description").and_then(Value::as_str).map(str::to_owned);
                view.and(View { description: own.or(part_view.description), ..part_view });
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = schema.get(keyword) {
                view.and(self.at_one_of(branches, depth));
            }
        }
        view
    }

    /// What holds whichever of `branches` does.
    fn at_one_of(&mut self, branches: &[Value], depth: usize) -> View {
        let takes_objects = |branch: &&Value| match branch {
            Value::Object(map) => types(map).is_none() || takes_objects(map),
            other => *other != &Value::Bool(false),
        };
        let mut views = Vec::new();
        for branch in branches.iter().filter(takes_objects) {
            views.push(branch.as_object().map_or_else(View::default, |map| self.at(map, depth)));
        }
        let names: usize = views.iter().map(|view| view.properties.len() + view.required.len()).sum();
        if !self.afford(names.saturating_mul(views.len())) {
            return View::default();
        }
        View::of_any(&views)
    }
}

impl View {
    fn of_itself(schema: &Map<String, Value>) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false))
            && !schema.contains_key("patternProperties");
        Self {
            required: required.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
            keys: is_closed.then(|| properties.keys().cloned().collect()),
            properties,
            description: None,
            choice: None,
        }
    }

    /// Both hold. Where they say different things of a property, the first is heard.
    fn and(&mut self, other: Self) {
        for (name, schema) in other.properties {
            self.properties.entry(name).or_insert(schema);
        }
        let known: HashSet<String> = self.required.iter().cloned().collect();
        self.required.extend(other.required.into_iter().filter(|name| !known.contains(name)));
        self.keys = match (self.keys.take(), other.keys) {
            (Some(keys), Some(others)) => Some(keys.intersection(&others).cloned().collect()),
            (keys, others) => keys.or(others),
        };
        if let Some(keys) = &self.keys {
            self.properties.retain(|name, _| keys.contains(name));
            self.required.retain(|name| keys.contains(name));
        }
        self.description = self.description.take().or(other.description);
        self.choice = self.choice.take().or(other.choice);
    }

    fn of_any(views: &[Self]) -> Self {
        let Some(first) = views.first() else { return Self::default() };
        let in_all = |name: &&String| views.iter().all(|view| view.required.contains(name));
        let required: Vec<String> = first.required.iter().filter(in_all).cloned().collect();
        let mut properties = Map::new();
        for name in views.iter().flat_map(|view| view.properties.keys()) {
            if !properties.contains_key(name) {
                properties.insert(name.clone(), any_of(name, views));
            }
        }
        let keys = views.iter().map(|view| view.keys.as_ref()).collect::<Option<Vec<_>>>();
        let keys = keys.map(|keys| keys.into_iter().flatten().cloned().collect());
        let choice = choice(views, &required);
        Self { properties, required, keys, description: None, choice }
    }
}

/// What a property may be in any of `views`.
fn any_of(name: &str, views: &[View]) -> Value {
    let said: Vec<&Value> = views.iter().filter_map(|view| view.properties.get(name)).collect();
    let says_nothing = |view: &View| {
        let may_be_there = view.keys.as_ref().is_none_or(|keys| keys.contains(name));
        may_be_there && !view.properties.contains_key(name)
    };
    if views.iter().any(says_nothing) {
        let text = said.iter().find_map(|schema| schema.get("description"));
        return text.map_or_else(|| json!({}), |text| json!({ "description": text }));
    }
    let mut different: Vec<Value> = Vec::new();
    for schema in said {
        if !different.contains(schema) {
            different.push(schema.clone());
        }
    }
    match different.pop() {
        Some(only) if different.is_empty() => only,
        last => json!({ "anyOf": different.into_iter().chain(last).collect::<Vec<_>>() }),
    }
}

/// The properties that one branch demands and another does not, in words.
fn choice(views: &[View], required: &[String]) -> Option<String> {
    const MAX_BRANCHES: usize = 20;
    let own = |view: &View| {
        let own: Vec<String> = view
            .required
            .iter()
            .filter(|name| !required.contains(name))
            .map(|name| format!("`{name}`"))
            .collect();
        (!own.is_empty()).then(|| own.join(" and "))
    };
    let mut sets: Vec<String> = views.iter().take(MAX_BRANCHES).map(own).collect::<Option<_>>()?;
    sets.dedup();
    (sets.len() > 1 && views.len() <= MAX_BRANCHES).then(|| format!("Give {}.", sets.join(", or ")))
}
