//! The schema as a provider enforces it: every object closed, and only the keywords that are known there.
//!
//! A keyword that is not known there becomes a few words in the description; the call is still checked against the author's
//! schema. What would change which calls are possible (free keys, values of any type) is a problem.

mod cost;
mod limits;
mod objects;
mod rules;
mod unions;

pub(crate) use cost::StrictCost;
pub(super) use objects::types_of;
pub(super) use rules::Rules;

use serde_json::{Map, Value, json};

use super::check::MAX_PROBLEMS;
use super::definitions::Names;
use super::disjoint::Comparison;
use super::keywords::decides;
use super::merge::merge;
use super::nullable::admit_null_in_place;
use super::recursion::containing_itself;
use super::reference::{Target, resolve};
use super::walk::{Path, size};
use super::words;
use crate::error::SchemaProblem;

/// Schemas within schemas, after references with something beside them are written out.
const MAX_DEPTH: usize = 128;
/// JSON values looked at, counting again what is written out again.
const MAX_VALUES: usize = 200_000;

/// `root` in the strict form of a provider.
///
/// # Errors
///
/// All that cannot be said in strict form, with the place in `root`.
pub(super) fn to_strict(root: &Value, rules: Rules) -> Result<Value, Vec<SchemaProblem>> {
    let mut conversion = Conversion {
        root,
        rules,
        comparison: Comparison::new(root),
        names: Names::default(),
        waiting: Vec::new(),
        written_out: vec![String::new()],
        depth: 0,
        values: 0,
        problems: Vec::new(),
    };
    let mut strict = conversion.schema(root, Path::ROOT);
    if conversion.problems.is_empty() && strict.get("type").and_then(Value::as_str) != Some("object") {
        conversion.report(Path::ROOT, "strict needs a plain object at the root, without a union");
    }
    let mut definitions = Map::new();
    while let Some((target, reference)) = conversion.waiting.pop() {
        conversion.written_out = vec![target.pointer.clone()];
        let definition = conversion.schema(target.schema, Path::At(&target.pointer));
        definitions.insert(Names::of(&reference).to_owned(), Value::Object(definition));
    }
    strict.remove("title");
    if !definitions.is_empty() {
        strict.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let strict = Value::Object(strict);
    let mut problems = conversion.problems;
    if problems.is_empty() {
        match rules {
            Rules::OpenAi => limits::check(&strict, root, &mut problems),
            Rules::Anthropic => problems.extend(containing_itself(root).map(|place| {
                Path::At(&place)
                    .problem("strict takes no schema that contains itself here; write the levels out")
            })),
        }
    }
    if problems.is_empty() { Ok(strict) } else { Err(problems) }
}

struct Conversion<'a> {
    root: &'a Value,
    rules: Rules,
    comparison: Comparison<'a>,
    /// The definitions of the strict schema.
    names: Names,
    /// Definitions that are referred to and not converted yet.
    waiting: Vec<(Target<'a>, String)>,
    /// What is being written, as itself or in place of a reference; it is not written out again within itself.
    written_out: Vec<String>,
    depth: usize,
    values: usize,
    problems: Vec<SchemaProblem>,
}

impl<'a> Conversion<'a> {
    fn report(&mut self, path: Path<'_>, message: impl Into<String>) {
        let problem = path.problem(message);
        if self.problems.len() < MAX_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// `schema` in strict form; empty after a problem.
    fn schema(&mut self, schema: &Value, path: Path<'_>) -> Map<String, Value> {
        self.values += 1;
        if self.depth >= MAX_DEPTH || self.values > MAX_VALUES {
            self.report(
                Path::ROOT,
                "the schema grows too large for strict once its references are written out",
            );
            return Map::new();
        }
        self.depth += 1;
        let strict = self.of_one_kind(schema, path);
        self.depth -= 1;
        strict
    }

    fn of_one_kind(&mut self, schema: &Value, path: Path<'_>) -> Map<String, Value> {
        let Value::Object(map) = schema else {
            return self.any_value(path);
        };
        for keyword in ["if", "contains", "dependentRequired", "dependentSchemas"] {
            if map.contains_key(keyword) {
                self.report(
                    path,
                    format!("strict has no `{keyword}`; leave `strict` off, or check it in the tool"),
                );
            }
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            self.reference(map, reference, path)
        } else if let Some(Value::Array(parts)) = map.get("allOf") {
            self.all_of(map, parts, path)
        } else if map.contains_key("anyOf") || map.contains_key("oneOf") {
            self.union(map, path)
        } else {
            self.plain(map, path)
        }
    }

    fn any_value(&mut self, path: Path<'_>) -> Map<String, Value> {
        self.report(path, "strict cannot say a value of any type; give it a `type`, or leave `strict` off");
        Map::new()
    }

    /// In strict a `$ref` stands alone. With something beside it the target is written out in its place.
    fn reference(&mut self, map: &Map<String, Value>, reference: &str, path: Path<'_>) -> Map<String, Value> {
        let target = match resolve(self.root, reference) {
            Ok(target) => target,
            Err(message) => {
                self.report(path, message);
                return Map::new();
            }
        };
        let mut beside = map.clone();
        beside.remove("$ref");
        let tells_something = words::annotations(&beside, path) != Map::new();
        let constrains = beside.keys().any(|keyword| decides(keyword));
        if !tells_something && !constrains && !path.is_root() {
            return self.definition(target);
        }
        if self.written_out.contains(&target.pointer) {
            if constrains {
                self.report(
                    path,
                    "strict cannot say keywords beside a `$ref` to a schema that contains itself",
                );
            }
            let mut wrapped = words::annotations(&beside, path);
            wrapped.insert("anyOf".to_owned(), json!([self.definition(target)]));
            return wrapped;
        }
        self.values = self.values.saturating_add(size(target.schema));
        if self.values > MAX_VALUES {
            return self.schema(target.schema, path);
        }
        match target.schema {
            Value::Object(other) => {
                if let Err(keyword) = merge(&mut beside, other) {
                    self.report(
                        path,
                        format!("strict cannot say `$ref` and `{keyword}` beside it as one schema"),
                    );
                    return Map::new();
                }
                self.written_out.push(target.pointer.clone());
                let strict = self.schema(&Value::Object(beside), Path::At(&target.pointer));
                self.written_out.pop();
                strict
            }
            _ => self.any_value(path),
        }
    }

    /// A `$ref` to the strict form of `target`.
    fn definition(&mut self, target: Target<'a>) -> Map<String, Value> {
        let (reference, is_new) = self.names.reference(&target.pointer);
        if is_new {
            self.waiting.push((target, reference.clone()));
        }
        Map::from_iter([("$ref".to_owned(), reference.into())])
    }

    fn all_of(&mut self, map: &Map<String, Value>, parts: &[Value], path: Path<'_>) -> Map<String, Value> {
        if parts.len() > 1 && self.rules == Rules::OpenAi {
            self.report(path, "strict has no `allOf` of several schemas; write them as one");
            return Map::new();
        }
        let mut whole = map.clone();
        whole.remove("allOf");
        for part in parts {
            match part {
                Value::Object(part) => {
                    if let Err(keyword) = merge(&mut whole, part) {
                        self.report(
                            path,
                            format!("strict cannot say `allOf` and `{keyword}` beside it as one schema"),
                        );
                        return Map::new();
                    }
                }
                Value::Bool(true) => {}
                _ => return self.any_value(path),
            }
        }
        let under = path.name("allOf");
        let brings_fields = whole.contains_key("properties") && !map.contains_key("properties");
        let place = if brings_fields { under.index(0) } else { path };
        self.schema(&Value::Object(whole), place)
    }
}

/// `strict` with null among its values.
fn with_null(mut strict: Map<String, Value>) -> Map<String, Value> {
    let nothing = json!({ "type": "null" });
    if let Some(Value::Array(branches)) = strict.get_mut("anyOf") {
        let admits_null = |branch: &Value| {
            branch.get("type").is_some_and(|types| {
                types == "null"
                    || types.as_array().is_some_and(|types| types.iter().any(|name| name == "null"))
            })
        };
        if !branches.iter().any(admits_null) {
            branches.push(nothing);
        }
        strict
    } else if strict.contains_key("$ref") {
        Map::from_iter([("anyOf".to_owned(), json!([strict, nothing]))])
    } else {
        admit_null_in_place(&mut strict);
        strict
    }
}
