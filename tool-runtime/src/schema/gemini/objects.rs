//! Lists and objects.

use serde_json::Value;

use crate::schema::keywords::types;
use crate::schema::words::{self, keep};

use super::{Form, Object, Projection};

impl Projection<'_> {
    pub(super) fn list(&mut self, schema: &Object, wire: &mut Object) -> Vec<String> {
        let mut words = Vec::new();
        keep(schema, wire, &["minItems", "maxItems"]);
        match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(places)), rest) => words.extend(self.tuple(places, rest, wire)),
            (_, Some(items)) => match self.schema(items) {
                Some(items) => drop(wire.insert("items".to_owned(), Value::Object(items))),
                None => drop(wire.insert("maxItems".to_owned(), 0.into())),
            },
            // A list without this is refused.
            (_, None) if self.form == Form::OpenApi => {
                wire.insert("items".to_owned(), Value::Object(Object::new()));
            }
            (_, None) => {}
        }
        words.extend(
            (schema.get("uniqueItems") == Some(&Value::Bool(true))).then(|| "no item twice".to_owned()),
        );
        words
    }

    /// A tuple. In the dialect that has none it is a list whose items are any of its places, and the order is told in words.
    fn tuple(&mut self, places: &[Value], rest: Option<&Value>, wire: &mut Object) -> Option<String> {
        let places: Vec<Object> = places.iter().map(|place| self.schema(place).unwrap_or_default()).collect();
        let rest = match rest {
            None => Some(Object::new()),
            Some(rest) => self.schema(rest),
        };
        let length = places.len();
        let ends = rest.is_none();
        let most = wire.get("maxItems").and_then(Value::as_u64);
        let is_full = ends || most.is_some_and(|most| most <= length as u64);
        if ends && most.is_none_or(|most| most > length as u64) {
            wire.insert("maxItems".to_owned(), length.into());
        }
        if self.form == Form::JsonSchema {
            wire.insert("prefixItems".to_owned(), places.into_iter().map(Value::Object).collect());
            let rest = rest.filter(|rest| !is_full && !rest.is_empty());
            wire.extend(rest.map(|rest| ("items".to_owned(), Value::Object(rest))));
            return None;
        }
        let order: Vec<String> = places.iter().map(kind_in_words).collect();
        let is_mixed = places.iter().any(|place| Some(place) != places.first());
        let kinds = places.into_iter().chain(rest.filter(|_| !is_full)).collect();
        let items = self.any_of(kinds).unwrap_or_default();
        wire.insert("items".to_owned(), Value::Object(items));
        is_mixed.then(|| format!("in this order: {}", order.join(", ")))
    }

    pub(super) fn object(&mut self, schema: &Object, wire: &mut Object) -> Vec<String> {
        let mut properties = Object::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if let Some(property) = self.schema(property) {
                properties.insert(name.clone(), Value::Object(property));
            }
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        // A name that is required and not described is refused.
        let known = |name: &&Value| name.as_str().is_some_and(|name| properties.contains_key(name));
        let required: Vec<Value> = required.filter(known).cloned().collect();
        if !properties.is_empty() {
            wire.insert("properties".to_owned(), Value::Object(properties));
        }
        if !required.is_empty() {
            wire.insert("required".to_owned(), required.into());
        }
        let counts = ["minProperties", "maxProperties"];
        match self.form {
            Form::OpenApi => {
                keep(schema, wire, &counts);
                Vec::new()
            }
            Form::JsonSchema => {
                self.other_keys(schema, wire);
                words::count(schema, counts, "key")
            }
        }
    }

    /// What keys beside the named ones may hold. With patterns for keys, that would say too much.
    fn other_keys(&mut self, schema: &Object, wire: &mut Object) {
        let has_patterns =
            schema.get("patternProperties").and_then(Value::as_object).is_some_and(|named| !named.is_empty());
        let rest = match schema.get("additionalProperties") {
            _ if has_patterns => return,
            None => return,
            Some(rest) => self.schema(rest),
        };
        let rest = match rest {
            None => Value::Bool(false),
            Some(rest) if rest.is_empty() => Value::Bool(true),
            Some(rest) => Value::Object(rest),
        };
        wire.insert("additionalProperties".to_owned(), rest);
    }
}

/// The kind of a place, for the order of a tuple.
fn kind_in_words(place: &Object) -> String {
    match types(place) {
        Some(names) => names.join(" or "),
        None => "other".to_owned(),
    }
}
