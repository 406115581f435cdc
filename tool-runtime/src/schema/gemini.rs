//! The schema as Gemini takes it, in either of its two dialects. It admits what the author's schema admits, and more where the
//! dialect lacks a keyword; that is then told in the description.

mod kinds;
mod objects;
mod unions;

use serde_json::{Map, Value, json};

use super::definitions::Names;
use super::description::described;
use super::inline::written_out;
use super::keywords::{decides, takes_objects};
use super::merge::merge;
use super::one_object::one_object;
use super::recursion::always_containing_itself;
use super::reference::{Target, resolve};
use super::walk::{Path, size};
use super::words::annotations;

/// Schemas within schemas that are gone into.
const MAX_DEPTH: usize = 128;
/// Schemas within each other that are made one of several. What contains itself in such a place would never end.
const MAX_JOINED: usize = 6;
/// Schemas and joined values looked at beyond those of the author.
const MAX_MORE_VALUES: usize = 20_000;
/// Any place but the root; what is told there does not depend on which.
const INSIDE: Path<'static> = Path::At("/");

type Object = Map<String, Value>;

/// Which of the dialects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The part of JSON Schema that is known in `parametersJsonSchema`.
    JsonSchema,
    /// `parameters`, which is like OpenAPI 3.0: `nullable`, no references, no closed objects, no tuples.
    OpenApi,
}

/// `author` in a dialect; `None` for parameters that hold nothing, which are left out of a declaration.
pub(super) fn to_gemini(author: &Value, form: Form) -> Option<Value> {
    let without_references = form == Form::OpenApi || always_containing_itself(author).is_some();
    let written;
    let root = if without_references {
        written = written_out(author);
        &written
    } else {
        author
    };
    let mut projection = Projection {
        root,
        form,
        names: Names::default(),
        waiting: Vec::new(),
        within: Vec::new(),
        joined: 0,
        depth: 0,
        left: size(root).saturating_add(MAX_MORE_VALUES),
    };
    let mut plain = one_object(root.as_object()?, root);
    plain.insert("type".to_owned(), "object".into());
    plain.remove("title");
    let mut wire = projection.plain(&plain)?;
    let holds_something = wire.contains_key("properties")
        || wire.get("additionalProperties").is_some_and(|rest| rest != &Value::Bool(false))
        || (form == Form::JsonSchema && !wire.contains_key("additionalProperties"));
    if !holds_something {
        return None;
    }
    let mut definitions = Object::new();
    while let Some((target, reference)) = projection.waiting.pop() {
        let definition = projection.schema(target.schema).unwrap_or_default();
        definitions.insert(Names::of(&reference).to_owned(), Value::Object(definition));
    }
    if !definitions.is_empty() {
        wire.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Some(Value::Object(wire))
}

struct Projection<'a> {
    root: &'a Value,
    form: Form,
    names: Names,
    /// Definitions that are referred to and not written yet.
    waiting: Vec<(Target<'a>, String)>,
    /// The places of what is written out beside something else.
    within: Vec<String>,
    /// How many schemas around this one were made one of several.
    joined: usize,
    depth: usize,
    /// How much may still be looked at; what is beyond is admitted whatever it is.
    left: usize,
}

impl<'a> Projection<'a> {
    /// `schema` in the dialect; `None` if no value fits it.
    fn schema(&mut self, schema: &Value) -> Option<Object> {
        self.left = self.left.saturating_sub(1);
        if self.depth >= MAX_DEPTH || self.left == 0 {
            return Some(Object::new());
        }
        match schema {
            Value::Bool(false) => None,
            Value::Object(map) => {
                self.depth += 1;
                let wire = self.of_one_kind(map);
                self.depth -= 1;
                wire
            }
            _ => Some(Object::new()),
        }
    }

    fn of_one_kind(&mut self, map: &Object) -> Option<Object> {
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            self.reference(map, reference)
        } else if let Some(Value::Array(parts)) = map.get("allOf") {
            let mut beside = map.clone();
            beside.remove("allOf");
            self.joined(|this| this.all_of(map, beside, parts))
        } else if map.contains_key("anyOf") || map.contains_key("oneOf") {
            self.union(map)
        } else {
            self.plain(map)
        }
    }

    fn reference(&mut self, map: &Object, reference: &str) -> Option<Object> {
        let mut beside = map.clone();
        beside.remove("$ref");
        let Ok(target) = resolve(self.root, reference) else { return self.of_one_kind(&beside) };
        // Within itself it is only named, and what is demanded beside it is left out, so that this ends.
        if beside.keys().any(|keyword| decides(keyword)) && !self.within.contains(&target.pointer) {
            self.within.push(target.pointer);
            let wire = self.joined(|this| this.all_of(map, beside, std::slice::from_ref(target.schema)));
            self.within.pop();
            return wire;
        }
        let (reference, is_new) = self.names.reference(&target.pointer);
        if is_new {
            self.waiting.push((target, reference.clone()));
        }
        let reference = Object::from_iter([("$ref".to_owned(), reference.into())]);
        // A reference stands alone.
        let mut told = annotations(&beside, INSIDE);
        if told.is_empty() {
            return Some(reference);
        }
        told.insert("anyOf".to_owned(), json!([reference]));
        Some(told)
    }

    /// What `join` makes of several schemas; anything, if that is within too many others.
    fn joined(&mut self, join: impl FnOnce(&mut Self) -> Option<Object>) -> Option<Object> {
        if self.joined >= MAX_JOINED {
            return Some(Object::new());
        }
        self.joined += 1;
        let wire = join(self);
        self.joined -= 1;
        wire
    }

    /// `beside` and all of `parts`; together they are `whole`.
    fn all_of(&mut self, whole: &Object, beside: Object, parts: &[Value]) -> Option<Object> {
        let mut merged = beside;
        let mut is_exact = true;
        let mut of_objects = takes_objects(&merged) || merged.contains_key("properties");
        let mut named_type = merged.get("type").cloned();
        for part in parts {
            match self.followed(part) {
                Value::Object(part) => {
                    self.left = self.left.saturating_sub(1 + part.values().map(size).sum::<usize>());
                    of_objects |= takes_objects(&part) || part.contains_key("properties");
                    named_type = named_type.or_else(|| part.get("type").cloned());
                    is_exact &= merge(&mut merged, &part).is_ok();
                }
                Value::Bool(false) => return None,
                _ => {}
            }
        }
        if !is_exact && of_objects {
            let mut one = one_object(whole, self.root);
            one.extend(named_type.map(|name| ("type".to_owned(), name)));
            return self.plain(&one);
        }
        // Parts that could not be said beside the others are left out, which only admits more.
        self.schema(&Value::Object(merged))
    }

    /// What `schema` stands for, if it is a reference and nothing else.
    fn followed(&self, schema: &Value) -> Value {
        const MAX_STEPS: usize = 16;
        let mut schema = schema;
        for _ in 0..MAX_STEPS {
            let Some(map) = schema.as_object().filter(|map| map.len() == 1) else { break };
            let Some(reference) = map.get("$ref").and_then(Value::as_str) else { break };
            let Ok(target) = resolve(self.root, reference) else { break };
            schema = target.schema;
        }
        schema.clone()
    }

    /// `wire` with null among its values.
    fn with_null(&self, mut wire: Object) -> Object {
        let nothing = json!({ "type": "null" });
        if self.form == Form::OpenApi {
            wire.insert("nullable".to_owned(), true.into());
            return wire;
        }
        if wire.contains_key("$ref") {
            return Object::from_iter([("anyOf".to_owned(), json!([wire, nothing]))]);
        }
        if let Some(Value::Array(branches)) = wire.get_mut("anyOf") {
            if !branches.contains(&nothing) {
                branches.push(nothing);
            }
            return wire;
        }
        match wire.get("type").cloned() {
            // Without a type it admits null already.
            None => wire,
            Some(name) if name == "null" => wire,
            Some(name) if name.is_string() && !wire.contains_key("enum") => {
                wire.insert("type".to_owned(), json!([name, "null"]));
                wire
            }
            Some(_) => {
                let take = |key: &str| Some((key.to_owned(), wire.remove(key)?));
                let told: Object = ["title", "description"].into_iter().filter_map(take).collect();
                described(Object::from_iter([("anyOf".to_owned(), json!([wire, nothing]))]), told)
            }
        }
    }
}
