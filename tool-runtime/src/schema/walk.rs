//! Where a walk through a schema stands: on a schema, on a map of names, or on data.
//!
//! A property may be called `title`, `format` or `$ref`, and a default may look like a schema. Every pass over schemas goes
//! through this table, so no pass takes a name or a value for a keyword.

use std::fmt;

use serde_json::{Map, Value};

use crate::error::SchemaProblem;

/// What stands below a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Below {
    /// One schema.
    Schema,
    /// A list of schemas.
    List,
    /// Schemas under names that the author chose.
    Named,
    /// No schema: a text, a number, a list of names, or a value of the author's.
    Data,
}

/// What stands below `keyword` in a schema.
pub(super) fn below(keyword: &str) -> Below {
    match keyword {
        "additionalItems"
        | "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Below::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Below::List,
        "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties" => Below::Named,
        _ => Below::Data,
    }
}

/// A schema directly below another one.
pub(super) struct Child<'a> {
    pub(super) keyword: &'a str,
    pub(super) step: Option<Step<'a>>,
    pub(super) schema: &'a Value,
}

/// The step from a keyword to one of its schemas.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

/// The schemas directly below `schema`, in its order.
pub(super) fn children(schema: &Map<String, Value>) -> Vec<Child<'_>> {
    let mut found = Vec::new();
    for (keyword, value) in schema {
        match (below(keyword), value) {
            (Below::Schema, schema) => found.push(Child { keyword, step: None, schema }),
            (Below::List, Value::Array(list)) => {
                found.extend(list.iter().enumerate().map(|(index, schema)| Child {
                    keyword,
                    step: Some(Step::Index(index)),
                    schema,
                }));
            }
            (Below::Named, Value::Object(named)) => {
                found.extend(named.iter().map(|(name, schema)| Child {
                    keyword,
                    step: Some(Step::Name(name)),
                    schema,
                }));
            }
            _ => {}
        }
    }
    found
}

/// Calls `change` on `schema` and on every schema in it, inner ones first, with the keyword that each stands under (empty
/// for the outermost).
pub(super) fn inside_out(schema: &mut Value, change: &mut dyn FnMut(&mut Value, &str)) {
    inside_out_under("", schema, change);
}

fn inside_out_under(keyword: &str, schema: &mut Value, change: &mut dyn FnMut(&mut Value, &str)) {
    if let Value::Object(map) = schema {
        for (keyword, value) in map.iter_mut() {
            match (below(keyword), value) {
                (Below::Schema, schema) => inside_out_under(keyword, schema, change),
                (Below::List, Value::Array(list)) => {
                    list.iter_mut().for_each(|schema| inside_out_under(keyword, schema, change));
                }
                (Below::Named, Value::Object(named)) => {
                    named.values_mut().for_each(|schema| inside_out_under(keyword, schema, change));
                }
                _ => {}
            }
        }
    }
    change(schema, keyword);
}

/// How many JSON values `value` holds.
pub(super) fn size(value: &Value) -> usize {
    let mut count = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    count
}

/// A place in a document, kept as the chain of callers; it becomes a JSON pointer only when there is a problem to report.
#[derive(Clone, Copy)]
pub(super) enum Path<'a> {
    /// A pointer that is at hand as text.
    At(&'a str),
    Name(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    pub(super) const ROOT: Path<'static> = Path::At("");

    pub(super) fn name(&'a self, name: &'a str) -> Path<'a> {
        Path::Name(self, name)
    }

    pub(super) fn index(&'a self, index: usize) -> Path<'a> {
        Path::Index(self, index)
    }

    pub(super) fn step(&'a self, step: Option<Step<'a>>) -> Path<'a> {
        match step {
            None => *self,
            Some(Step::Name(name)) => self.name(name),
            Some(Step::Index(index)) => self.index(index),
        }
    }

    pub(super) fn is_root(&self) -> bool {
        matches!(self, Path::At(""))
    }

    pub(super) fn problem(&self, message: impl Into<String>) -> SchemaProblem {
        SchemaProblem::new(self.to_string(), message)
    }
}

/// Writes the JSON pointer, with `~` and `/` in names escaped.
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::At(pointer) => f.write_str(pointer),
            Path::Name(parent, name) => write!(f, "{parent}/{}", escape(name)),
            Path::Index(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

/// One name as a token of a JSON pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A text of the author's for a message: at most 80 characters of it.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
