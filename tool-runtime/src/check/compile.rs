//! From a schema to rules. Draft 2020-12, the keywords that params types produce, and what stands beside them.

mod loose;
mod reference;

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use self::loose::loosen;
use self::reference::is_known_dialect;
use super::format::Format;
use super::keywords;
use super::outline;
use super::pattern::Pattern;
use super::rule::{ANYTHING, NOTHING, Rule, RuleId, Rules, Types, Union};
use crate::error::SchemaProblem;

/// The deepest nesting of schemas in each other.
const DEPTH_LIMIT: usize = 128;

/// Rules, the rule of the root, and the keywords that they do not cover.
pub(super) struct Compiled {
    pub(super) rules: Rules,
    pub(super) root: RuleId,
    pub(super) uncovered: Vec<Uncovered>,
}

/// A keyword, or a form of one, that the rules do not cover.
#[cfg_attr(feature = "validator", allow(dead_code, reason = "only named where nothing else covers it"))]
pub(super) struct Uncovered {
    pub(super) path: String,
    pub(super) keyword: String,
}

/// Compiles the schema.
///
/// What the rules do not cover is left out of them in such a way that they still admit every value that fits: a
/// `not` around it is dropped and a `oneOf` around it taken as `anyOf`.
///
/// # Errors
///
/// Every fault of the schema.
pub(super) fn compile(schema: &Value) -> Result<Compiled, Vec<SchemaProblem>> {
    let mut compiler = Compiler {
        document: schema,
        rules: Rules::default().0.into_iter().map(Draft::of).collect(),
        places: vec!["true".to_owned(), "false".to_owned()],
        known: HashMap::new(),
        waiting: VecDeque::new(),
        problems: Vec::new(),
        uncovered: Vec::new(),
        depth: 0,
    };
    let root = compiler.refer("");
    while let Some((id, path)) = compiler.waiting.pop_front() {
        let target = schema.pointer(&path).unwrap_or(&Value::Null);
        let draft = compiler.draft(target, &path);
        compiler.put(id, draft);
    }
    if !compiler.uncovered.is_empty() {
        loosen(&mut compiler.rules);
    }
    let mut rules = Rules(compiler.rules.into_iter().map(|draft| draft.rule).collect());
    if compiler.problems.is_empty() {
        outline::work_out(&mut rules, &compiler.places).map_err(|problem| vec![problem])?;
    }
    if compiler.problems.is_empty() {
        let root = outline::target(&rules, root);
        Ok(Compiled { rules, root, uncovered: compiler.uncovered })
    } else {
        Err(compiler.problems)
    }
}

/// A rule in the making.
pub(super) struct Draft {
    pub(super) rule: Rule,
    /// Whether something that the rules do not cover was left out of it.
    pub(super) loose: bool,
}

impl Draft {
    fn of(rule: Rule) -> Self {
        Self { rule, loose: false }
    }
}

/// The state of one compilation.
pub(super) struct Compiler<'s> {
    document: &'s Value,
    rules: Vec<Draft>,
    /// Where each rule stands in the schema, for messages.
    places: Vec<String>,
    /// Rules that a `$ref` leads to, by JSON pointer.
    known: HashMap<String, RuleId>,
    /// Of those, the ones not yet read.
    waiting: VecDeque<(RuleId, String)>,
    problems: Vec<SchemaProblem>,
    uncovered: Vec<Uncovered>,
    depth: usize,
}

impl Compiler<'_> {
    /// Notes a fault.
    pub(super) fn fault(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(SchemaProblem::new(path, message));
    }

    /// Notes a keyword that the rules do not cover.
    pub(super) fn leave(&mut self, draft: &mut Draft, path: &str, keyword: &str) {
        draft.loose = true;
        self.uncovered.push(Uncovered { path: path.to_owned(), keyword: keyword.to_owned() });
    }

    /// The rule of a schema that stands inside another one.
    pub(super) fn schema(&mut self, schema: &Value, path: String) -> RuleId {
        match schema {
            Value::Bool(true) => return ANYTHING,
            Value::Bool(false) => return NOTHING,
            Value::Object(keywords) if keywords.is_empty() => return ANYTHING,
            _ => {}
        }
        let id = self.reserve(path.clone());
        let draft = self.draft(schema, &path);
        self.put(id, draft);
        id
    }

    /// The rule at a JSON pointer into the document, read later.
    fn refer(&mut self, path: &str) -> RuleId {
        if let Some(id) = self.known.get(path) {
            return *id;
        }
        let id = self.reserve(path.to_owned());
        self.known.insert(path.to_owned(), id);
        self.waiting.push_back((id, path.to_owned()));
        id
    }

    fn reserve(&mut self, path: String) -> RuleId {
        self.rules.push(Draft::of(Rule::anything()));
        self.places.push(path);
        RuleId(self.rules.len() - 1)
    }

    fn put(&mut self, id: RuleId, draft: Draft) {
        if let Some(place) = self.rules.get_mut(id.0) {
            *place = draft;
        }
    }

    fn draft(&mut self, schema: &Value, path: &str) -> Draft {
        let mut draft = Draft::of(Rule::anything());
        match schema {
            Value::Bool(true) => {}
            Value::Bool(false) => draft.rule.types = Types::NONE,
            Value::Object(_) if self.depth >= DEPTH_LIMIT => {
                self.fault(
                    path,
                    format!("schemas are nested deeper than {DEPTH_LIMIT} levels; move parts into `$defs`"),
                );
            }
            Value::Object(keywords) => {
                self.depth += 1;
                for (keyword, value) in keywords {
                    self.keyword(keyword, value, keywords, path, &mut draft);
                }
                keywords::finish(&mut draft.rule, keywords);
                self.depth -= 1;
            }
            other => self.fault(path, format!("a schema is an object or a boolean, not `{}`", brief(other))),
        }
        draft
    }

    fn keyword(
        &mut self,
        keyword: &str,
        value: &Value,
        beside: &Map<String, Value>,
        path: &str,
        draft: &mut Draft,
    ) {
        let here = child(path, keyword);
        let here = here.as_str();
        match keyword {
            "type" => draft.rule.types = self.types(value, here),
            "nullable" => {}
            "enum" | "const" => self.literals(keyword, value, here, &mut draft.rule),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                self.number_keyword(keyword, value, here, &mut draft.rule);
            }
            "minLength" | "maxLength" => {
                let length = self.length(value, here);
                let string = draft.rule.string.get_or_insert_default();
                *(if keyword == "minLength" { &mut string.least } else { &mut string.most }) = length;
            }
            "pattern" => {
                if let Some(pattern) = self.pattern(value, here, draft) {
                    draft.rule.string.get_or_insert_default().pattern = Some(pattern);
                }
            }
            "format" => {
                if let Some(format) = value.as_str().and_then(Format::named) {
                    draft.rule.string.get_or_insert_default().format = Some(format);
                }
            }
            "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" => {
                self.array_keyword(keyword, value, here, &mut draft.rule);
            }
            "properties"
            | "required"
            | "additionalProperties"
            | "patternProperties"
            | "propertyNames"
            | "minProperties"
            | "maxProperties" => self.object_keyword(keyword, value, here, draft),
            "allOf" => draft.rule.all.extend(self.schemas(value, here)),
            "anyOf" | "oneOf" => {
                let branches = self.schemas(value, here);
                draft.rule.unions.push(Union { exactly_one: keyword == "oneOf", branches });
            }
            "not" => draft.rule.none.push(self.schema(value, here.to_owned())),
            "$ref" => self.reference(value, here, draft),
            "$id" if path.is_empty() => {}
            // Another dialect may mean something else by the same keywords.
            "$schema" if !value.as_str().is_some_and(is_known_dialect) => self.fault(
                here,
                format!("`{}` is a dialect that cannot be enforced; write draft 2020-12", brief(value)),
            ),
            other if keywords::is_annotation(other) => {}
            other => {
                if let Some(way_out) = keywords::outdated(other, beside) {
                    self.fault(here, way_out);
                } else {
                    self.leave(draft, here, other);
                }
            }
        }
    }

    pub(super) fn pattern(&mut self, value: &Value, here: &str, draft: &mut Draft) -> Option<Pattern> {
        let Some(source) = value.as_str() else {
            self.fault(here, "a pattern must be a text");
            return None;
        };
        let pattern = Pattern::new(source);
        if pattern.is_none() {
            self.leave(draft, here, "pattern");
        }
        pattern
    }

    /// A list of schemas.
    pub(super) fn schemas(&mut self, value: &Value, here: &str) -> Vec<RuleId> {
        match value.as_array() {
            Some(list) if !list.is_empty() => list
                .iter()
                .enumerate()
                .map(|(index, schema)| self.schema(schema, format!("{here}/{index}")))
                .collect(),
            _ => {
                self.fault(here, "must be a list of at least one schema");
                Vec::new()
            }
        }
    }

    /// A count, as a whole number from 0.
    pub(super) fn length(&mut self, value: &Value, here: &str) -> Option<usize> {
        let float = value.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
        let length = match (value.as_u64(), float) {
            (Some(length), _) => usize::try_from(length).unwrap_or(usize::MAX),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a whole number from 0; a huge one saturates"
            )]
            (None, Some(float)) => float as usize,
            (None, None) => {
                self.fault(here, format!("must be a whole number from 0, not `{}`", brief(value)));
                return None;
            }
        };
        Some(length)
    }
}

/// The JSON pointer of a member.
pub(super) fn child(path: &str, key: &str) -> String {
    format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A value of a schema, short enough for a message.
pub(super) fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
