//! Values of one type: texts, numbers, lists and objects.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::super::description::described;
use super::super::keywords::{is_of_type, types};
use super::super::walk::Path;
use super::super::words::{self, annotations_with, code, keep};
use super::{Conversion, Rules, with_null};

type Object = Map<String, Value>;

impl Conversion<'_> {
    /// A schema without parts: it names its type, or lists its values.
    pub(super) fn plain(&mut self, schema: &Object, path: Path<'_>) -> Object {
        let values: Option<Vec<Value>> = match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => Some(vec![value.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        let types = match (types(schema), &values) {
            (Some(types), None) => types,
            (types, Some(values)) => types_of(values, types),
            (None, None) => return self.any_value(path),
        };
        let null = types.contains(&"null");
        let covered = |name: &str| name == "null" || (name == "integer" && types.contains(&"number"));
        let others: Vec<_> = types.iter().copied().filter(|name| !covered(name)).collect();
        let mut words = self.excluded(schema, path);
        let strict = match others.as_slice() {
            [] if null => Object::from_iter([("type".to_owned(), "null".into())]),
            [] => {
                self.report(path, "no value fits this schema");
                return Object::new();
            }
            [one] => {
                let (strict, more) = self.of_type(one, schema, values.as_deref(), path);
                words.extend(more);
                if null { with_null(strict) } else { strict }
            }
            several => {
                let mut branches = Vec::new();
                for name in several {
                    let (strict, words) = self.of_type(name, schema, values.as_deref(), path);
                    let words = annotations_with(&Object::new(), words, path);
                    branches.push(Value::Object(described(strict, words)));
                }
                branches.extend(null.then(|| json!({ "type": "null" })));
                Object::from_iter([("anyOf".to_owned(), Value::Array(branches))])
            }
        };
        described(strict, annotations_with(schema, words, path))
    }

    /// Single values can be excluded in words; `not` of anything else would be lost.
    fn excluded(&mut self, schema: &Object, path: Path<'_>) -> Vec<String> {
        let Some(not) = schema.get("not") else { return Vec::new() };
        match (not.get("const"), not.get("enum"), not.as_object().map(Map::len)) {
            (Some(value), None, Some(1)) => vec![format!("not {}", code(value))],
            (None, Some(Value::Array(values)), Some(1)) => {
                values.iter().map(|value| format!("not {}", code(value))).collect()
            }
            _ => {
                self.report(path, "strict has no `not`; leave `strict` off, or check it in the tool");
                Vec::new()
            }
        }
    }

    /// The part of `schema` that is about one type, and words for what has no keyword.
    fn of_type(
        &mut self,
        name: &str,
        schema: &Object,
        values: Option<&[Value]>,
        path: Path<'_>,
    ) -> (Object, Vec<String>) {
        let mut strict = Object::from_iter([("type".to_owned(), name.into())]);
        let mut words = Vec::new();
        if let Some(values) = values {
            let values: Vec<_> = values.iter().filter(|value| is_of_type(value, name)).cloned().collect();
            if matches!(name, "array" | "object") {
                self.report(path, "strict can list texts, numbers and booleans only, no lists or objects");
            }
            match (schema.contains_key("const"), values.as_slice()) {
                (true, [value]) => strict.insert("const".to_owned(), value.clone()),
                _ => strict.insert("enum".to_owned(), Value::Array(values)),
            };
        }
        match name {
            "string" => {
                words =
                    words::text(schema, &mut strict, |keyword, value| self.rules.knows_text(keyword, value));
            }
            "integer" | "number" if self.rules == Rules::OpenAi => keep(
                schema,
                &mut strict,
                &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
            ),
            "integer" | "number" => words = words::number(schema, |_| false),
            "array" => words = self.list(schema, &mut strict, path),
            "object" => words = self.object(schema, &mut strict, path),
            _ => {}
        }
        (strict, words)
    }

    fn list(&mut self, schema: &Object, strict: &mut Object, path: Path<'_>) -> Vec<String> {
        let mut words = Vec::new();
        match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(places)), rest) => {
                words.extend(self.tuple(schema, places, rest, strict, path))
            }
            (_, Some(items)) => {
                let items = self.schema(items, path.name("items"));
                strict.insert("items".to_owned(), Value::Object(items));
            }
            (_, None) => self.report(path, "strict cannot say a list of any values; give it `items`"),
        }
        if schema.get("unevaluatedItems").is_some_and(|rest| rest != &Value::Bool(true)) {
            self.report(path, "strict has no `unevaluatedItems`; write `maxItems`");
        }
        words.extend(self.item_counts(schema, strict));
        words.extend(
            (schema.get("uniqueItems") == Some(&Value::Bool(true))).then(|| "no item twice".to_owned()),
        );
        words
    }

    /// How many items there may be. Anthropic can only say that there is at least one.
    fn item_counts(&self, schema: &Object, strict: &mut Object) -> Vec<String> {
        let counts = ["minItems", "maxItems"];
        if self.rules == Rules::OpenAi {
            for keyword in counts {
                if let Some(count) = schema.get(keyword) {
                    strict.entry(keyword).or_insert_with(|| count.clone());
                }
            }
            return Vec::new();
        }
        // A tuple has put its length there.
        let ends = strict.remove("maxItems").map(|most| ("maxItems".to_owned(), most));
        let mut bounds: Object =
            counts.iter().filter_map(|key| Some(((*key).to_owned(), schema.get(*key)?.clone()))).collect();
        bounds.extend(ends);
        let least = bounds.get("minItems").and_then(Value::as_f64).unwrap_or(0.0);
        if least >= 1.0 {
            strict.insert("minItems".to_owned(), 1.into());
        }
        if least <= 1.0 {
            bounds.remove("minItems");
        }
        words::count(&bounds, counts, "item")
    }

    /// A tuple as a list whose items are any of its places: looser, so the order is told in words.
    fn tuple(
        &mut self,
        schema: &Object,
        places: &[Value],
        rest: Option<&Value>,
        strict: &mut Object,
        path: Path<'_>,
    ) -> Option<String> {
        let under = path.name("prefixItems");
        let mut kinds: Vec<Value> = Vec::new();
        let mut order = Vec::new();
        let mut add = |kind: Object| {
            order.push(types(&kind).map_or_else(|| "other".to_owned(), |types| types.join(" or ")));
            let kind = Value::Object(kind);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        };
        for (index, place) in places.iter().enumerate() {
            add(self.schema(place, under.index(index)));
        }
        let most = schema.get("maxItems").and_then(Value::as_u64);
        match rest {
            _ if most.is_some_and(|most| most <= places.len() as u64) => {}
            Some(Value::Bool(false)) => {
                strict.insert("maxItems".to_owned(), places.len().into());
            }
            Some(rest) => add(self.schema(rest, path.name("items"))),
            None => self.report(path, "strict cannot say a list that ends in any values; give it `maxItems`"),
        }
        let words = (kinds.len() > 1).then(|| format!("in this order: {}", order.join(", ")));
        let items = match (kinds.pop(), kinds.is_empty()) {
            (Some(only), true) => only,
            (last, _) => json!({ "anyOf": kinds.into_iter().chain(last).collect::<Vec<_>>() }),
        };
        strict.insert("items".to_owned(), items);
        words
    }

    fn object(&mut self, schema: &Object, strict: &mut Object, path: Path<'_>) -> Vec<String> {
        let none = Object::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = names.filter_map(Value::as_str).collect();
        let is_closed = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(false));
        let is_open = |keyword: &str| schema.contains_key(keyword) && !is_closed(keyword);
        let says_nothing = properties.is_none() && !is_closed("additionalProperties") && !path.is_root();
        if is_open("additionalProperties")
            || is_open("unevaluatedProperties")
            || is_open("patternProperties")
            || says_nothing
        {
            self.report(
                path,
                "strict cannot say an object with free keys; name its properties, make it a list of \
                 `{key, value}` objects, or leave `strict` off",
            );
        }
        let properties = properties.unwrap_or(&none);
        for name in required.iter().filter(|name| !properties.contains_key(**name)) {
            self.report(path, format!("`required` names `{name}`, which `properties` lacks"));
        }
        let required: HashSet<&str> = required.into_iter().collect();
        let under = path.name("properties");
        let mut converted = Object::new();
        for (name, property) in properties {
            let property = self.schema(property, under.name(name));
            let demanded = self.rules == Rules::Anthropic || required.contains(name.as_str());
            let property = if demanded { property } else { with_null(property) };
            converted.insert(name.clone(), Value::Object(property));
        }
        let names = properties.keys().filter(|name| {
            // OpenAI wants every property, so there null stands for absent.
            self.rules == Rules::OpenAi || required.contains(name.as_str())
        });
        strict.insert("properties".to_owned(), Value::Object(converted));
        strict.insert("required".to_owned(), names.cloned().collect());
        strict.insert("additionalProperties".to_owned(), Value::Bool(false));
        words::count(schema, ["minProperties", "maxProperties"], "key")
    }
}

/// The types that some of `values` have, of those in `allowed` if there are such.
pub(in crate::schema) fn types_of<'a>(values: &[Value], allowed: Option<Vec<&'a str>>) -> Vec<&'a str> {
    let whole = values.iter().filter(|value| value.is_number()).all(|value| is_of_type(value, "integer"));
    let number = if whole { "integer" } else { "number" };
    let mut types = allowed.unwrap_or_else(|| vec!["null", "boolean", number, "string", "array", "object"]);
    types.retain(|name| values.iter().any(|value| is_of_type(value, name)));
    types
}
