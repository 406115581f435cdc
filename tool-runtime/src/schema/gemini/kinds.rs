//! Values of one type: texts, numbers, and what is listed.

use serde_json::{Number, Value, json};

use crate::schema::description::described;
use crate::schema::keywords::{decides, is_of_type, types};
use crate::schema::strict::types_of;
use crate::schema::words::{self, annotations_with, code, keep};

use super::{Form, INSIDE, Object, Projection};

/// The types of a schema that names none, null aside.
const ANY: [&str; 5] = ["object", "array", "string", "number", "boolean"];
/// Listed values that are told in words, at most.
const MAX_TOLD: usize = 50;

impl Projection<'_> {
    /// A schema without parts.
    pub(super) fn plain(&mut self, schema: &Object) -> Option<Object> {
        let values: Option<Vec<Value>> = match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => Some(vec![value.clone()]),
            (None, Some(Value::Array(values))) => Some(values.clone()),
            _ => None,
        };
        let named = match (types(schema), &values) {
            (named, Some(values)) => Some(types_of(values, named)),
            (named, None) => named,
        };
        let says_more = schema.keys().any(|keyword| decides(keyword) && !is_beyond(keyword));
        let names = match named {
            Some(names) => names,
            None if says_more => ANY.into_iter().chain(["null"]).collect(),
            None => return Some(annotations_with(schema, excluded(schema), INSIDE)),
        };
        let covered = |name: &str| name == "integer" && names.contains(&"number");
        let mut branches = Vec::new();
        for name in names.iter().copied().filter(|name| !covered(name)) {
            let (wire, words) = self.of_type(name, schema, values.as_deref());
            branches.push((wire, words));
        }
        let nulls = branches.iter().filter(|(wire, _)| is_null(wire)).count();
        if branches.len() - nulls == 1 {
            // The words are about the only type that there is, so they stand beside what is told of the whole.
            let (wire, more) = branches.into_iter().find(|(wire, _)| !is_null(wire))?;
            let told = annotations_with(schema, more.into_iter().chain(excluded(schema)).collect(), INSIDE);
            let wire = described(wire, told);
            return Some(if nulls > 0 { self.with_null(wire) } else { wire });
        }
        let told = |(wire, words): (Object, Vec<String>)| {
            described(wire, annotations_with(&Object::new(), words, INSIDE))
        };
        let wire = self.any_of(branches.into_iter().map(told).collect())?;
        Some(described(wire, annotations_with(schema, excluded(schema), INSIDE)))
    }

    /// The part of `schema` that is about one type, and words for what has no keyword.
    fn of_type(&mut self, name: &str, schema: &Object, values: Option<&[Value]>) -> (Object, Vec<String>) {
        let mut wire = Object::from_iter([("type".to_owned(), name.into())]);
        let mut words = match name {
            "string" => {
                words::text(schema, &mut wire, |keyword, value| knows_text(self.form, keyword, value))
            }
            "integer" | "number" => self.number(name, schema, &mut wire),
            "array" => self.list(schema, &mut wire),
            "object" => self.object(schema, &mut wire),
            _ => Vec::new(),
        };
        let of_this_type = |value: &&Value| is_of_type(value, name);
        let listed: Option<Vec<&Value>> = values.map(|values| values.iter().filter(of_this_type).collect());
        match listed {
            Some(listed) if knows_listed(self.form, name) => {
                drop(wire.insert("enum".to_owned(), json!(listed)))
            }
            Some(listed) if name != "null" && !has_both(&listed) => words.insert(0, one_of(&listed)),
            _ => {}
        }
        (wire, words)
    }

    /// The bounds of a number. An open one is closed where that is exact, and else admits its end.
    fn number(&self, name: &str, schema: &Object, wire: &mut Object) -> Vec<String> {
        let is_whole = name == "integer";
        let bound = |closed: &str, open: &str, step: i64| {
            let closed = schema.get(closed).and_then(Value::as_number).cloned();
            let open = schema.get(open).and_then(Value::as_number);
            let shifted = open.map(|open| if is_whole { next_whole(open, step) } else { open.clone() });
            match (closed, shifted) {
                (Some(closed), Some(shifted)) => {
                    let is_tighter = is_below(&closed, &shifted) == (step > 0);
                    Some(if is_tighter { shifted } else { closed })
                }
                (closed, shifted) => closed.or(shifted),
            }
        };
        let bounds = [
            ("minimum", bound("minimum", "exclusiveMinimum", 1)),
            ("maximum", bound("maximum", "exclusiveMaximum", -1)),
        ];
        for (keyword, bound) in bounds {
            wire.extend(bound.map(|bound| (keyword.to_owned(), Value::Number(bound))));
        }
        if self.form == Form::OpenApi {
            let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
            let known: &[&str] = if is_whole { &["int32", "int64"] } else { &["float", "double"] };
            if known.contains(&format) {
                keep(schema, wire, &["format"]);
            }
        }
        words::number(schema, |keyword| {
            matches!(keyword, "minimum" | "maximum") || (is_whole && keyword.starts_with("exclusive"))
        })
    }
}

/// Keywords that have no place in either dialect, whatever the type.
fn is_beyond(keyword: &str) -> bool {
    matches!(
        keyword,
        "if" | "then" | "else" | "not" | "dependentRequired" | "dependentSchemas" | "dependencies"
    )
}

fn is_null(wire: &Object) -> bool {
    wire.get("type").is_some_and(|name| name == "null")
}

fn knows_text(form: Form, keyword: &str, value: &Value) -> bool {
    match (keyword, form) {
        ("pattern" | "minLength" | "maxLength", form) => form == Form::OpenApi,
        ("format", Form::OpenApi) => value == "date-time",
        ("format", Form::JsonSchema) => value == "date-time" || value == "date" || value == "time",
        _ => false,
    }
}

/// Whether values of the type can be listed.
fn knows_listed(form: Form, name: &str) -> bool {
    name == "string" || (form == Form::JsonSchema && matches!(name, "integer" | "number"))
}

/// Whether all booleans are listed.
fn has_both(listed: &[&Value]) -> bool {
    listed.contains(&&Value::Bool(true)) && listed.contains(&&Value::Bool(false))
}

fn one_of(listed: &[&Value]) -> String {
    let mut told: Vec<String> = listed.iter().take(MAX_TOLD).map(|value| code(value)).collect();
    told.extend((listed.len() > MAX_TOLD).then(|| "…".to_owned()));
    match told.as_slice() {
        [only] => format!("always {only}"),
        _ => format!("one of {}", told.join(" ")),
    }
}

/// Single values that are excluded, in words.
fn excluded(schema: &Object) -> Vec<String> {
    let Some(not) = schema.get("not").and_then(Value::as_object).filter(|not| not.len() == 1) else {
        return Vec::new();
    };
    match (not.get("const"), not.get("enum")) {
        (Some(value), _) => vec![format!("not {}", code(value))],
        (None, Some(Value::Array(values))) => {
            values.iter().take(MAX_TOLD).map(|value| format!("not {}", code(value))).collect()
        }
        _ => Vec::new(),
    }
}

/// The first whole number beyond `bound`, or a bound that admits it where numbers are too large to tell.
fn next_whole(bound: &Number, step: i64) -> Number {
    /// Whole numbers up to here are exact as an `f64`.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    if let Some(next) = bound.as_i64().and_then(|bound| bound.checked_add(step)) {
        return next.into();
    }
    let Some(number) = bound.as_f64().filter(|number| number.abs() < EXACT) else { return bound.clone() };
    let next = if step > 0 { number.floor() + 1.0 } else { number.ceil() - 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and far within the range")]
    Number::from(next as i64)
}

fn is_below(left: &Number, right: &Number) -> bool {
    match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => left < right,
        _ => left.as_f64() < right.as_f64(),
    }
}
