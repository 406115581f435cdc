//! What a strict schema takes of the room that Anthropic gives to a whole request.

use serde_json::Value;

use super::super::walk::children;

/// How much of a request's room one schema takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StrictCost {
    /// Properties that may be left out.
    pub(crate) optional: usize,
    /// Schemas of several types.
    pub(crate) unions: usize,
}

impl StrictCost {
    /// The cost of a schema in strict form.
    pub(crate) fn of(strict: &Value) -> Self {
        let mut cost = Self::default();
        let mut open = vec![strict];
        while let Some(schema) = open.pop() {
            let Some(map) = schema.as_object() else { continue };
            let required = map.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            let properties = map.get("properties").and_then(Value::as_object).map_or(0, serde_json::Map::len);
            cost.optional += properties.saturating_sub(required);
            let is_union = map.contains_key("anyOf") || map.get("type").is_some_and(Value::is_array);
            cost.unions += usize::from(is_union);
            open.extend(children(map).into_iter().map(|child| child.schema));
        }
        cost
    }
}
