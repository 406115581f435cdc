//! From a schema to rules. Draft 2020-12, the keywords that params types produce, and what stands beside them.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

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

/// Carries looseness from each rule to those that hold it, and weakens what looseness would turn around.
fn loosen(drafts: &mut [Draft]) {
    let mut holders: HashMap<RuleId, Vec<usize>> = HashMap::new();
    for (index, draft) in drafts.iter().enumerate() {
        for id in held(&draft.rule) {
            holders.entry(id).or_default().push(index);
        }
    }
    let mut waiting: Vec<usize> = (0..drafts.len()).filter(|index| is_loose(drafts, *index)).collect();
    while let Some(index) = waiting.pop() {
        for holder in holders.get(&RuleId(index)).into_iter().flatten() {
            if let Some(draft) = drafts.get_mut(*holder).filter(|draft| !draft.loose) {
                draft.loose = true;
                waiting.push(*holder);
            }
        }
    }
    let loose: Vec<bool> = drafts.iter().map(|draft| draft.loose).collect();
    let is_loose = |id: &RuleId| loose.get(id.0).copied().unwrap_or(false);
    for draft in drafts {
        draft.rule.none.retain(|id| !is_loose(id));
        for union in &mut draft.rule.unions {
            union.exactly_one &= !union.branches.iter().any(is_loose);
        }
    }
}

fn is_loose(drafts: &[Draft], index: usize) -> bool {
    drafts.get(index).is_some_and(|draft| draft.loose)
}

/// All rules that a rule holds.
fn held(rule: &Rule) -> Vec<RuleId> {
    let mut held = rule.all.clone();
    held.extend(&rule.none);
    held.extend(rule.unions.iter().flat_map(|union| union.branches.iter().copied()));
    if let Some(array) = &rule.array {
        held.extend(&array.prefix);
        held.extend(array.items);
    }
    if let Some(object) = &rule.object {
        held.extend(object.properties.iter().map(|property| property.rule));
        held.extend(object.patterns.iter().map(|(_, rule)| *rule));
        held.extend(object.additional);
        held.extend(object.names);
    }
    held
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

    fn reference(&mut self, value: &Value, here: &str, draft: &mut Draft) {
        let Some(reference) = value.as_str() else {
            return self.fault(here, "`$ref` must be a text");
        };
        let pointer = reference.strip_prefix('#').map(percent_decoded);
        match pointer {
            Some(pointer)
                if (pointer.is_empty() || pointer.starts_with('/')) && !self.is_in_inner_document(here) =>
            {
                if self.document.pointer(&pointer).is_some() {
                    let target = self.refer(&pointer);
                    draft.rule.all.push(target);
                } else {
                    self.fault(here, format!("`{reference}` leads nowhere in this schema"));
                }
            }
            // An anchor, or a place in another document.
            _ => self.leave(draft, here, "$ref"),
        }
    }

    /// Whether a schema around this place has an `$id` of its own, which references are then relative to.
    fn is_in_inner_document(&self, place: &str) -> bool {
        let mut around = Some(self.document);
        place.split('/').skip(1).any(|step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            around = around.and_then(|value| match value {
                Value::Array(items) => items.get(step.parse::<usize>().ok()?),
                value => value.get(&step),
            });
            around.and_then(|value| value.get("$id")).is_some_and(Value::is_string)
        })
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

/// Whether `$schema` names a draft of JSON Schema. What older drafts mean otherwise is an error of its own.
fn is_known_dialect(name: &str) -> bool {
    let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"));
    name.is_some_and(|name| name.starts_with("json-schema.org/"))
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

/// Decodes `%41` in a fragment; what is no such thing stays.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code =
            after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
