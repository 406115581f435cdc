//! Random schemas, and values that fit them or nearly do.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// A small generator of random numbers; the same seed gives the same schemas and values.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = usize::try_from(self.0 >> 33).unwrap();
        word % limit.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }

    /// A schema with definitions that may refer to each other.
    pub(crate) fn root_schema(&mut self) -> Value {
        let mut schema = self.schema(3);
        if let Value::Object(keywords) = &mut schema {
            let defs = json!({"x": self.schema(2), "y": self.schema(2)});
            keywords.insert("$defs".into(), defs);
        }
        schema
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.one_in(12) {
            return Value::Bool(!self.one_in(3));
        }
        let mut keywords = Map::new();
        for _ in 0..=self.below(3) {
            let (keyword, value) = self.keyword(depth);
            keywords.insert(keyword.into(), value);
        }
        Value::Object(keywords)
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let numbers =
            [json!(0), json!(1), json!(2.5), json!(-1), json!(3), json!(0.1), json!(9007199254740993u64)];
        let counts = [json!(0), json!(1), json!(2), json!(3), json!(2.0)];
        // With the feature, schemas also hold keywords that only the general validator knows.
        let nested = if cfg!(feature = "validator") { 19 } else { 15 };
        let flat = 17;
        match self.below(if depth == 0 { flat } else { flat + nested }) {
            0..3 => ("type", self.type_names()),
            3 => ("enum", Value::Array((0..=self.below(3)).map(|_| self.any(1)).collect())),
            4 => ("const", self.any(1)),
            5 => ("minimum", self.pick(&numbers)),
            6 => ("maximum", self.pick(&numbers)),
            7 => ("exclusiveMinimum", self.pick(&numbers)),
            8 => ("exclusiveMaximum", self.pick(&numbers)),
            9 => (
                "multipleOf",
                self.pick(&[json!(1), json!(2), json!(0.1), json!(0.5), json!(2.5), json!(1e2)]),
            ),
            10 => ("minLength", self.pick(&counts)),
            11 => ("maxLength", self.pick(&counts)),
            12 => (
                "pattern",
                self.pick(&[json!("^a"), json!("b$"), json!("^\\d+$"), json!("[^a-c]"), json!("é|.")]),
            ),
            13 => (
                "required",
                (0..self.below(3)).map(|_| self.key()).collect::<BTreeSet<_>>().into_iter().collect(),
            ),
            14 => self.pick(&[("minItems", json!(1)), ("maxItems", json!(2)), ("uniqueItems", json!(true))]),
            15 => {
                self.pick(&[("minProperties", json!(1)), ("maxProperties", json!(1)), ("title", json!("t"))])
            }
            16 => (
                "format",
                self.pick(&[json!("date"), json!("uuid"), json!("ipv4"), json!("time"), json!("other")]),
            ),
            17..20 => ("properties", self.named_schemas(depth)),
            20 => ("patternProperties", json!({ "^a|1$": self.schema(depth - 1) })),
            21 | 22 => {
                ("additionalProperties", if self.one_in(2) { json!(false) } else { self.schema(depth - 1) })
            }
            23 => ("propertyNames", self.schema(depth - 1)),
            24 => ("items", self.schema(depth - 1)),
            25 => ("prefixItems", self.schemas(depth)),
            26 => ("allOf", self.schemas(depth)),
            27 | 28 => ("anyOf", self.schemas(depth)),
            29 => ("oneOf", self.schemas(depth)),
            30 => ("not", self.schema(depth - 1)),
            32 => ("contains", self.schema(depth - 1)),
            33 => ("if", self.schema(depth - 1)),
            34 => ("then", self.schema(depth - 1)),
            35 => ("dependentRequired", json!({ self.key(): [self.key()] })),
            _ => ("$ref", self.pick(&[json!("#"), json!("#/$defs/x"), json!("#/$defs/y")])),
        }
    }

    fn type_names(&mut self) -> Value {
        let types = ["null", "boolean", "integer", "number", "string", "array", "object", "object"];
        if self.one_in(3) {
            let first = self.below(types.len() - 1);
            return json!(
                [types[first], types[(first + 1 + self.below(5)) % 7]].iter().collect::<BTreeSet<_>>()
            );
        }
        self.pick(&types).into()
    }

    fn schemas(&mut self, depth: usize) -> Value {
        (0..=self.below(2)).map(|_| self.schema(depth - 1)).collect()
    }

    fn named_schemas(&mut self, depth: usize) -> Value {
        let named: Map<String, Value> =
            (0..=self.below(3)).map(|_| (self.key().to_owned(), self.schema(depth - 1))).collect();
        Value::Object(named)
    }

    fn key(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "x1", "é\"\n"])
    }

    /// Any value out of a small world, so that equal ones meet.
    fn any(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 8 } else { 11 }) {
            0 => Value::Null,
            1 => Value::Bool(self.one_in(2)),
            2 | 3 => self.pick(&[
                json!(0),
                json!(1),
                json!(2),
                json!(3),
                json!(-1),
                json!(100),
                json!(u64::MAX),
                json!(9007199254740993u64),
            ]),
            4 => self.pick(&[
                json!(0.5),
                json!(0.1),
                json!(0.3),
                json!(2.0),
                json!(-1.5),
                json!(1e10),
                json!(7.5),
            ]),
            5..8 => self
                .pick(&["", "a", "ab", "abc", "é", "10", "a\nb", "2026-01-31", "192.0.2.1", "12:00:00Z"])
                .into(),
            8 | 9 => {
                let members: Map<String, Value> =
                    (0..self.below(4)).map(|_| (self.key().to_owned(), self.any(depth - 1))).collect();
                Value::Object(members)
            }
            _ => (0..self.below(4)).map(|_| self.any(depth - 1)).collect(),
        }
    }

    /// A value that has a fair chance to fit the schema.
    pub(crate) fn value_for(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let Some(keywords) = schema.as_object().filter(|_| depth > 0 && !self.one_in(10)) else {
            return self.any(2);
        };
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            let target = root.pointer(target.trim_start_matches('#')).cloned().unwrap_or_default();
            return self.value_for(&target, root, depth - 1);
        }
        for union in ["anyOf", "oneOf", "allOf"] {
            if let Some(branches) = keywords.get(union).and_then(Value::as_array).filter(|_| self.one_in(2)) {
                let branch = self.pick(branches);
                return self.value_for(&branch, root, depth - 1);
            }
        }
        if let Some(members) = keywords.get("enum").and_then(Value::as_array) {
            return self.pick(members);
        }
        if let Some(constant) = keywords.get("const") {
            return constant.clone();
        }
        if let Some(properties) = keywords.get("properties").and_then(Value::as_object) {
            let mut members = Map::new();
            for (name, schema) in properties {
                if !self.one_in(4) {
                    members.insert(name.clone(), self.value_for(schema, root, depth - 1));
                }
            }
            if self.one_in(3) {
                members.insert(self.key().into(), self.any(1));
            }
            return Value::Object(members);
        }
        if let Some(items) = keywords.get("items") {
            return (0..self.below(4)).map(|_| self.value_for(items, root, depth - 1)).collect();
        }
        self.any(2)
    }

    /// The value with some parts written as models write them by mistake: numbers, lists and objects as texts, whole floats,
    /// nulls and empty texts for nothing.
    pub(crate) fn spoil(&mut self, value: &Value) -> Value {
        let value = match value {
            Value::Array(items) => items.iter().map(|item| self.spoil(item)).collect(),
            Value::Object(members) => {
                Value::Object(members.iter().map(|(key, value)| (key.clone(), self.spoil(value))).collect())
            }
            scalar => scalar.clone(),
        };
        match (&value, self.below(6)) {
            (Value::String(_), 0) => Value::Null,
            (Value::String(_), 1) => "".into(),
            (Value::Number(number), 2) if number.as_f64().is_some_and(|float| float.abs() < 1e15) => {
                json!(number.as_f64())
            }
            (Value::String(_) | Value::Null, _) => value,
            (_, 0) => value.to_string().into(),
            _ => value,
        }
    }

    /// The text of a value with a few bytes changed, taken out or doubled.
    pub(crate) fn scribble(&mut self, value: &Value) -> String {
        let mut characters: Vec<char> = value.to_string().chars().collect();
        for _ in 0..self.below(4) {
            let place = self.below(characters.len());
            if place >= characters.len() {
                break;
            }
            match self.below(3) {
                0 => {
                    characters[place] = self
                        .pick(&['"', '\\', ',', ':', '{', '}', '[', ']', '0', 'e', '.', '-', ' ', 'u', '\n'])
                }
                1 => drop(characters.remove(place)),
                _ => characters.insert(place, characters[place]),
            }
        }
        characters.into_iter().collect()
    }
}
