//! The keywords about one kind of value.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::compile::{Compiler, Draft, brief, child};
use super::equal::{canonical, node_of};
use super::number::{Decimal, Num};
use super::rule::{ANYTHING, Bound, Divisor, Literals, NumberRule, ObjectRule, Property, Rule, Types};
use crate::json::Node;

/// Whether a keyword only describes.
pub(super) fn is_annotation(keyword: &str) -> bool {
    const ANNOTATIONS: &[&str] = &[
        "$comment",
        "$defs",
        "$schema",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "discriminator",
        "enumDescriptions",
        "enumNames",
        "example",
        "examples",
        "externalDocs",
        "markdownDescription",
        "readOnly",
        "title",
        "writeOnly",
        "xml",
    ];
    ANNOTATIONS.contains(&keyword) || keyword.starts_with("x-")
}

/// What to write instead of a keyword that draft 2020-12 no longer has and would pass over in silence.
pub(super) fn outdated(keyword: &str, beside: &Map<String, Value>) -> Option<&'static str> {
    match keyword {
        "dependencies" => {
            Some("`dependencies` is of an older draft; write `dependentRequired` or `dependentSchemas`")
        }
        "additionalItems" => Some("`additionalItems` is of an older draft; write `prefixItems` and `items`"),
        "$recursiveRef" => Some("`$recursiveRef` is of an older draft; write `$ref` or `$dynamicRef`"),
        "id" if beside.get("id").is_some_and(Value::is_string) => {
            Some("`id` is of an older draft; write `$id`")
        }
        _ => None,
    }
}

/// What can be said once all keywords of a schema are read.
pub(super) fn finish(rule: &mut Rule, keywords: &Map<String, Value>) {
    // OpenAPI: adds null to the type that stands beside it, and means nothing without one.
    if keywords.get("nullable") == Some(&Value::Bool(true)) && keywords.contains_key("type") {
        rule.types |= Types::NULL;
    }
    if let Some(number) = &mut rule.number {
        number.integers = integers_within(number);
    }
    if let Some(object) = &mut rule.object {
        finish_object(object, keywords.get("required"));
    }
}

fn finish_object(object: &mut ObjectRule, required: Option<&Value>) {
    let names = required.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut required: HashSet<&str> = names.clone().collect();
    for property in &mut object.properties {
        property.required = required.remove(property.name.as_str());
    }
    // A name that is only required is an additional key, unless a pattern covers it.
    let rule = object.additional.unwrap_or(ANYTHING);
    for name in names {
        if required.remove(name) {
            object.properties.push(Property::new(name, rule, false));
        }
    }
    object.required = vec![0; object.properties.len().div_ceil(64)];
    for (place, property) in object.properties.iter().enumerate() {
        if let (true, Some(word)) = (property.required, object.required.get_mut(place / 64)) {
            *word |= 1 << (place % 64);
        }
    }
    object.sorted = (0..object.properties.len()).collect();
    let properties = &object.properties;
    object.sorted.sort_by_key(|place| properties.get(*place).map(|property| property.name.as_str()));
}

/// The integers that lie within all bounds, as far as 64-bit integers and a bit more go.
fn integers_within(rule: &NumberRule) -> (i128, i128) {
    let lower = rule.lower.iter().map(|bound| nearest(bound, true)).max().unwrap_or(i128::MIN);
    let upper = rule.upper.iter().map(|bound| nearest(bound, false)).min().unwrap_or(i128::MAX);
    (lower, upper)
}

/// The integer nearest to a bound that is still within it.
#[expect(clippy::cast_possible_truncation, reason = "a float beyond i128 saturates")]
fn nearest(bound: &Bound, above: bool) -> i128 {
    let whole = bound.decimal.to_integer().and_then(|integer| integer.parse::<i128>().ok());
    match whole {
        Some(integer) if bound.exclusive => {
            if above {
                integer.saturating_add(1)
            } else {
                integer.saturating_sub(1)
            }
        }
        Some(integer) => integer,
        None if above => bound.float.ceil() as i128,
        None => bound.float.floor() as i128,
    }
}

impl Compiler<'_> {
    pub(super) fn types(&mut self, value: &Value, here: &str) -> Types {
        let words = match value {
            Value::Array(words) if !words.is_empty() => words.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut types = Types::NONE;
        for word in words {
            match word.as_str().and_then(Types::named) {
                Some(kind) => types |= kind,
                None => self.fault(
                    here,
                    format!(
                        "`{}` is no type; the types are `string`, `integer`, `number`, `boolean`, `array`, `object`, `null`",
                        brief(word)
                    ),
                ),
            }
        }
        types
    }

    pub(super) fn literals(&mut self, keyword: &str, value: &Value, here: &str, rule: &mut Rule) {
        let members = match (keyword, value) {
            ("const", constant) => std::slice::from_ref(constant),
            (_, Value::Array(members)) => members.as_slice(),
            _ => return self.fault(here, "`enum` must be a list of values"),
        };
        let mut literals = Literals::default();
        for member in members {
            literals.add(node_of(member));
        }
        rule.literals = Some(match rule.literals.take() {
            Some(others) => others.intersection(&literals),
            None => literals,
        });
    }

    pub(super) fn number_keyword(&mut self, keyword: &str, value: &Value, here: &str, rule: &mut Rule) {
        let Value::Number(number) = value else {
            return self.fault(here, format!("`{keyword}` must be a number, not `{}`", brief(value)));
        };
        let spelling = number.to_string();
        let float = number.as_f64().unwrap_or(f64::INFINITY);
        let decimal = Decimal::parse(&spelling).into_owned();
        let bounds = rule.number.get_or_insert_default();
        if keyword == "multipleOf" {
            if float > 0.0 {
                bounds.multiple_of = Some(Divisor { decimal, integer: number.as_u64(), spelling });
            } else {
                self.fault(here, "`multipleOf` must be greater than 0");
            }
            return;
        }
        let exclusive = keyword.starts_with("exclusive");
        let bound = Bound { decimal, float, exclusive, spelling };
        if keyword.ends_with("inimum") { bounds.lower.push(bound) } else { bounds.upper.push(bound) }
    }

    pub(super) fn array_keyword(&mut self, keyword: &str, value: &Value, here: &str, rule: &mut Rule) {
        let mut array = rule.array.take().unwrap_or_default();
        match keyword {
            "items" if value.is_array() => {
                self.fault(here, "`items` as a list is of an older draft; write `prefixItems`");
            }
            "items" => array.items = Some(self.schema(value, here.to_owned())),
            "prefixItems" => array.prefix = self.schemas(value, here),
            "minItems" => array.least = self.length(value, here),
            "maxItems" => array.most = self.length(value, here),
            _ => match value.as_bool() {
                Some(unique) => array.unique = unique,
                None => self.fault(here, "`uniqueItems` must be true or false"),
            },
        }
        rule.array = Some(array);
    }

    pub(super) fn object_keyword(&mut self, keyword: &str, value: &Value, here: &str, draft: &mut Draft) {
        let mut object = draft.rule.object.take().unwrap_or_default();
        match (keyword, value) {
            ("properties", Value::Object(properties)) => {
                for (name, schema) in properties {
                    let rule = self.schema(schema, child(here, name));
                    object.properties.push(Property::new(name, rule, true));
                }
            }
            // Read with the properties, in `finish`.
            ("required", Value::Array(names)) if names.iter().all(Value::is_string) => {}
            ("patternProperties", Value::Object(patterns)) => {
                for (source, schema) in patterns {
                    let path = child(here, source);
                    let rule = self.schema(schema, path.clone());
                    if let Some(pattern) = self.pattern(&Value::String(source.clone()), &path, draft) {
                        object.patterns.push((pattern, rule));
                    } else {
                        // Which keys it covers is not known here, so no key may be taken for an additional one.
                        object.additional = Some(ANYTHING);
                    }
                }
            }
            ("additionalProperties", schema) => {
                let rule = self.schema(schema, here.to_owned());
                object.additional = object.additional.or(Some(rule));
            }
            ("propertyNames", schema) => object.names = Some(self.schema(schema, here.to_owned())),
            ("minProperties", _) => object.least = self.length(value, here),
            ("maxProperties", _) => object.most = self.length(value, here),
            ("required", _) => self.fault(here, "`required` must be a list of texts"),
            _ => self.fault(here, format!("`{keyword}` must be an object")),
        }
        draft.rule.object = Some(object);
    }
}

impl Literals {
    fn add(&mut self, member: Node) {
        match &member {
            Node::Null => self.null = true,
            Node::Bool(true) => self.yes = true,
            Node::Bool(false) => self.no = true,
            Node::Number(spelling) => {
                self.numbers.extend(Num::parse(spelling).map(|number| number.into_owned()))
            }
            Node::String(text) => self.strings.push(text.clone()),
            Node::Array(_) | Node::Object(_) => self.composites.push(canonical(&member)),
        }
        self.members.push(member);
    }

    fn intersection(&self, other: &Self) -> Self {
        let kept: HashSet<String> = other.members.iter().map(canonical).collect();
        let mut literals = Self::default();
        for member in self.members.iter().filter(|member| kept.contains(&canonical(member))) {
            literals.add(member.clone());
        }
        literals
    }

    /// The kinds of its members.
    pub(super) fn types(&self) -> Types {
        self.members.iter().fold(Types::NONE, |types, member| {
            types
                | match member {
                    Node::Null => Types::NULL,
                    Node::Bool(_) => Types::BOOLEAN,
                    Node::Number(_) => Types::NUMBER,
                    Node::String(_) => Types::STRING,
                    Node::Array(_) => Types::ARRAY,
                    Node::Object(_) => Types::OBJECT,
                }
        })
    }
}
