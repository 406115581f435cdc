//! Whether two schemas exclude each other. "No" only means that it does not show.

use serde_json::{Map, Value};

use super::keywords::{TYPES, is_of_type, types};
use super::reference::resolve;

/// How many pairs of schemas one comparison looks at before giving up.
const MAX_STEPS: usize = 200_000;
/// How many demanded fields of an object are looked at.
const MAX_FIELDS: usize = 64;
/// How far apart from the branches the difference may stand.
const MAX_DEPTH: usize = 8;

/// Compares schemas of one document; all comparisons together are bounded.
pub(super) struct Comparison<'a> {
    root: &'a Value,
    steps: usize,
}

impl<'a> Comparison<'a> {
    /// References are looked up in `root`.
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root, steps: MAX_STEPS }
    }

    /// Whether surely no value fits two of `branches`.
    pub(super) fn all_disjoint(&mut self, branches: &[Value]) -> bool {
        branches.iter().enumerate().all(|(index, left)| {
            branches.iter().skip(index + 1).all(|right| self.disjoint(left, right, MAX_DEPTH))
        })
    }

    fn disjoint(&mut self, left: &Value, right: &Value, depth: usize) -> bool {
        let (Value::Object(left_map), Value::Object(right_map)) = (left, right) else {
            return left == &Value::Bool(false) || right == &Value::Bool(false);
        };
        let Some(depth) = depth.checked_sub(1) else { return false };
        if !self.afford(left_map, right_map) {
            return false;
        }
        for (map, other) in [(left_map, right), (right_map, left)] {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str)
                && let Ok(target) = resolve(self.root, reference)
                && self.disjoint(target.schema, other, depth)
            {
                return true;
            }
            for keyword in ["anyOf", "oneOf"] {
                if let Some(Value::Array(branches)) = map.get(keyword)
                    && branches.iter().all(|branch| self.disjoint(branch, other, depth))
                {
                    return true;
                }
            }
        }
        let (left, right) = (left_map, right_map);
        let shared: Vec<_> =
            TYPES.into_iter().filter(|name| admits(left, name) && admits(right, name)).collect();
        match shared.as_slice() {
            [] => true,
            ["object"] if values(left).is_none() && values(right).is_none() => {
                self.fields_differ(left, right, depth)
            }
            _ => match (values(left), values(right)) {
                (Some(left), Some(right)) => {
                    !left.iter().any(|left| right.iter().any(|right| same(left, right)))
                }
                _ => false,
            },
        }
    }

    /// Takes what comparing two schemas costs; listed values are compared each with each.
    fn afford(&mut self, left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
        let count = |schema| values(schema).map_or(0, |values| values.len());
        let (left, right) = (count(left), count(right));
        let cost = 1 + left.saturating_mul(right).saturating_add(left + right) / 32;
        match self.steps.checked_sub(cost) {
            Some(rest) => self.steps = rest,
            None => return false,
        }
        true
    }

    /// Whether a field tells the objects apart: both demand it with values that exclude each other, or one demands it and
    /// the other is closed and does not have it.
    fn fields_differ(&mut self, left: &Map<String, Value>, right: &Map<String, Value>, depth: usize) -> bool {
        for (one, other) in [(left, right), (right, left)] {
            for name in required(one) {
                match (field(one, name), field(other, name)) {
                    (_, None) if is_closed(other) => return true,
                    (Some(mine), Some(theirs))
                        if required(other).any(|required| required == name)
                            && self.disjoint(mine, theirs, depth) =>
                    {
                        return true;
                    }
                    _ => {}
                }
            }
        }
        false
    }
}

/// Whether `schema` may fit a value of the type `name`.
fn admits(schema: &Map<String, Value>, name: &str) -> bool {
    let by_type = types(schema).is_none_or(|types| {
        types.iter().any(|own| *own == name || matches!((*own, name), ("number", "integer")))
    });
    let by_value = values(schema).is_none_or(|values| values.iter().any(|value| is_of_type(value, name)));
    by_type && by_value
}

/// The values that `schema` lists.
fn values(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// Equal as JSON Schema sees it: 1 and 1.0 are the same number.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        // A number inside may be spelled in two ways; only scalars are compared for sure.
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => true,
        _ => left == right,
    }
}

/// The fields that `schema` demands; a tag is among the first of them.
fn required(schema: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.take(MAX_FIELDS).filter_map(Value::as_str)
}

fn field<'a>(schema: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}

fn is_closed(schema: &Map<String, Value>) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false))
        && !schema.contains_key("patternProperties")
}
