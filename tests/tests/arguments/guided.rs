//! Random values that a schema guides: most fit, many lie at a bound, some break one rule.

use serde_json::{Map, Number, Value, json};

/// A small generator of random numbers; the same seed gives the same values.
pub(crate) struct Guided(u64);

impl Guided {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<T: Clone>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())].clone()
    }

    /// A value for the schema at `root`.
    pub(crate) fn value(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let Some(keywords) = schema.as_object() else { return self.any(1) };
        if let Some(target) = keywords.get("$ref").and_then(Value::as_str) {
            return self.value(root.pointer(target.trim_start_matches('#')).unwrap(), root, depth);
        }
        for union in ["anyOf", "oneOf"] {
            if let Some(branches) = keywords.get(union).and_then(Value::as_array) {
                // The last one ends a recursion sooner or later.
                let branch = if depth == 0 {
                    branches[self.below(2) * (branches.len() - 1)].clone()
                } else {
                    self.pick(branches)
                };
                let mut value = self.value(&branch, root, depth.saturating_sub(1));
                if let (Some(_), Value::Object(own)) =
                    (keywords.get("properties"), self.object(keywords, root, depth))
                    && let Value::Object(members) = &mut value
                {
                    members.extend(own);
                }
                return value;
            }
        }
        if let Some(members) = keywords.get("enum").and_then(Value::as_array) {
            return self.pick(members);
        }
        if let Some(constant) = keywords.get("const") {
            return constant.clone();
        }
        let kind = match keywords.get("type") {
            Some(Value::String(kind)) => kind.clone(),
            Some(Value::Array(kinds)) => self.pick(kinds).as_str().unwrap().to_owned(),
            _ => return self.any(2),
        };
        match kind.as_str() {
            "null" => Value::Null,
            "boolean" => self.one_in(2).into(),
            "integer" => self.integer(keywords),
            "number" => self.number(keywords),
            "string" => self.text(keywords).into(),
            "array" => self.list(keywords, root, depth),
            _ => self.object(keywords, root, depth),
        }
    }

    fn integer(&mut self, keywords: &Map<String, Value>) -> Value {
        let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_i64);
        let near = [bound("minimum"), bound("maximum")].into_iter().flatten().collect::<Vec<_>>();
        if let Some(step) = keywords.get("multipleOf").and_then(Value::as_i64).filter(|_| !self.one_in(10)) {
            return (step * self.pick(&[0, 1, 40])).into();
        }
        if !self.one_in(10) {
            return if near.is_empty() {
                self.pick(&[0, 1, 2, 5, 100]).into()
            } else {
                self.pick(&near).into()
            };
        }
        if !near.is_empty() && self.one_in(2) {
            return (self.pick(&near) + self.pick(&[-1, 1])).into();
        }
        self.pick(&[
            json!(0),
            json!(1),
            json!(2),
            json!(3),
            json!(5),
            json!(10),
            json!(-1),
            json!(127),
            json!(128),
            json!(255),
            json!(256),
            json!(-129),
            json!(65535),
            json!(65536),
            json!(i64::from(i32::MAX) + 1),
            json!(u32::MAX),
            json!(u64::from(u32::MAX) + 1),
            json!(i64::MAX),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(9007199254740993u64),
            json!(4.0),
            json!(2.5),
        ])
    }

    fn number(&mut self, keywords: &Map<String, Value>) -> Value {
        let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_f64);
        let near = [bound("minimum"), bound("maximum")].into_iter().flatten().collect::<Vec<_>>();
        if !near.is_empty() && self.one_in(2) {
            let beyond = self.pick(&[-0.25, 0.0, 0.0, 0.0, 0.25]);
            return Number::from_f64(self.pick(&near) + beyond).unwrap().into();
        }
        self.pick(&[
            json!(0),
            json!(1.5),
            json!(-2.25),
            json!(1e300),
            json!(1e-9),
            json!(3),
            json!(0.1),
            json!(7.0),
        ])
    }

    fn text(&mut self, keywords: &Map<String, Value>) -> String {
        let length = |keyword: &str| {
            keywords.get(keyword).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
        };
        let near = [length("minLength"), length("maxLength")].into_iter().flatten().collect::<Vec<_>>();
        if !near.is_empty() && self.one_in(2) {
            let length = (self.pick(&near) + self.pick(&[0, 1, 1, 1, 1, 2])).saturating_sub(1);
            return self.pick(&["a", "é", "\"", "😀"]).repeat(length);
        }
        if (keywords.contains_key("pattern") || keywords.contains_key("format")) && !self.one_in(8) {
            return self
                .pick(if keywords.contains_key("format") { &["2026-01-31"] } else { &["abc1", "a"] })
                .to_owned();
        }
        self.pick(&[
            "",
            "a",
            "ab",
            "abc1",
            "b2",
            "x",
            "a\nb",
            "é",
            "2026-01-31",
            "2026-02-30",
            "12",
            "true",
            "null",
            "[1]",
            "{}",
        ])
        .to_owned()
    }

    fn list(&mut self, keywords: &Map<String, Value>, root: &Value, depth: usize) -> Value {
        let prefix = keywords.get("prefixItems").and_then(Value::as_array).cloned().unwrap_or_default();
        let count = |keyword: &str| {
            let count = keywords.get(keyword).and_then(Value::as_u64);
            count.and_then(|count| usize::try_from(count).ok())
        };
        let (least, most) = (count("minItems").unwrap_or(0), count("maxItems").unwrap_or(usize::MAX));
        let more = self.below(if depth == 0 { 1 } else { 3 });
        let length = if self.one_in(8) { self.below(5) } else { (least + more).min(most) };
        let any = Value::Bool(true);
        let items = keywords.get("items").unwrap_or(&any);
        let mut list: Vec<Value> = (0..length)
            .map(|at| self.value(prefix.get(at).unwrap_or(items), root, depth.saturating_sub(1)))
            .collect();
        if keywords.contains_key("uniqueItems") && !self.one_in(8) {
            list.dedup();
        }
        list.into()
    }

    fn object(&mut self, keywords: &Map<String, Value>, root: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        let is_required = |name: &String| {
            keywords
                .get("required")
                .and_then(Value::as_array)
                .is_some_and(|names| names.iter().any(|own| own == name))
        };
        for (name, schema) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let share = if is_required(name) {
                20
            } else if depth == 0 {
                1
            } else {
                2
            };
            if !self.one_in(share) {
                members.insert(name.clone(), self.value(schema, root, depth.saturating_sub(1)));
            }
        }
        if let Some(schema) = keywords.get("additionalProperties") {
            for _ in 0..if schema.is_object() { self.below(3) } else { usize::from(self.one_in(12)) } {
                let key = self.pick(&["k", "1", "é\"\n", "200"]);
                members.insert(key.to_owned(), self.value(schema, root, depth.saturating_sub(1)));
            }
        }
        Value::Object(members)
    }

    fn any(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => self.one_in(2).into(),
            2 => self.integer(&Map::new()),
            3 => self.number(&Map::new()),
            4 => self.text(&Map::new()).into(),
            5 => (0..self.below(3)).map(|_| self.any(depth - 1)).collect(),
            _ => Value::Object((0..self.below(3)).map(|at| (at.to_string(), self.any(depth - 1))).collect()),
        }
    }

    /// The value with at most a few parts changed, left out or written as models write them by mistake.
    pub(crate) fn mutated(&mut self, value: &Value) -> Value {
        if self.one_in(12) {
            return match (self.below(4), value) {
                (0, value) => value.to_string().into(),
                (1, _) => Value::Null,
                (2, Value::Number(number)) => {
                    Number::from_f64(number.as_f64().unwrap()).map_or(Value::Null, Value::Number)
                }
                _ => self.any(1),
            };
        }
        match value {
            Value::Array(items) => items.iter().map(|item| self.mutated(item)).collect(),
            Value::Object(members) => {
                let mut changed = Map::new();
                for (key, value) in members {
                    match self.below(40) {
                        0 => {}
                        1 => drop(changed.insert(format!("{key}x"), value.clone())),
                        _ => drop(changed.insert(key.clone(), self.mutated(value))),
                    }
                }
                Value::Object(changed)
            }
            scalar => scalar.clone(),
        }
    }

    /// The text with a few characters of the syntax lost, doubled or put in.
    pub(crate) fn garbled(&mut self, text: &str) -> String {
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(2) {
            let place = self.below(characters.len());
            match self.below(3) {
                _ if characters.is_empty() => {}
                0 => drop(characters.remove(place)),
                1 => characters.insert(place, characters[place]),
                _ => {
                    let put = self.pick(&[
                        '"', '\\', ',', ':', '{', '}', '[', ']', '0', '.', '\'', ' ', '\n', '`', '/',
                    ]);
                    characters.insert(place, put);
                }
            }
        }
        characters.into_iter().collect()
    }
}
