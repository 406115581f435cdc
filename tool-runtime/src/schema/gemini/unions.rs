//! `anyOf`, and `oneOf` as the same.

use serde_json::{Value, json};

use crate::schema::description::described;
use crate::schema::keywords::{decides, takes_objects};
use crate::schema::one_object::one_object;
use crate::schema::words::annotations;

use super::{Form, INSIDE, Object, Projection};

impl Projection<'_> {
    pub(super) fn union(&mut self, map: &Object) -> Option<Object> {
        let keyword = if map.contains_key("anyOf") { "anyOf" } else { "oneOf" };
        let Some(Value::Array(branches)) = map.get(keyword) else { return Some(Object::new()) };
        if map.keys().any(|key| decides(key) && key != keyword && key != "type") {
            return self.joined(|this| this.with_more(map));
        }
        let branches: Vec<Object> =
            branches.iter().filter_map(|branch| self.schema(&with_type(branch, map.get("type")))).collect();
        let wire = self.any_of(branches)?;
        Some(described(wire, annotations(map, INSIDE)))
    }

    /// A union with demands beside it. Objects become one; of others, what stands beside is kept and the union left out,
    /// which only admits more.
    fn with_more(&mut self, map: &Object) -> Option<Object> {
        if takes_objects(map) || map.contains_key("properties") {
            return self.plain(&one_object(map, self.root));
        }
        let mut beside = map.clone();
        beside.remove("anyOf");
        beside.remove("oneOf");
        self.of_one_kind(&beside)
    }

    /// Any of `branches`, which are in the dialect already; `None` if there is none.
    pub(super) fn any_of(&self, branches: Vec<Object>) -> Option<Object> {
        let mut admits_null = false;
        let mut others: Vec<Object> = Vec::new();
        for mut branch in branches {
            if self.form == Form::OpenApi {
                admits_null |= branch.remove("nullable").is_some();
                if branch.get("type").is_some_and(|name| name == "null") {
                    admits_null = true;
                    continue;
                }
            }
            if !others.contains(&branch) {
                others.push(branch);
            }
        }
        // Among others, a branch that says nothing admits everything.
        if others.iter().any(Object::is_empty) {
            return Some(Object::new());
        }
        let wire = match (others.pop(), others.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                others.push(last);
                Object::from_iter([("anyOf".to_owned(), json!(others))])
            }
            (None, _) if admits_null => Object::from_iter([("type".to_owned(), "null".into())]),
            (None, _) => return None,
        };
        Some(if admits_null { self.with_null(wire) } else { wire })
    }
}

/// A branch with the type that the union has for all.
fn with_type(branch: &Value, shared: Option<&Value>) -> Value {
    let mut branch = branch.clone();
    if let (Value::Object(branch), Some(shared)) = (&mut branch, shared)
        && !["$ref", "allOf", "anyOf", "oneOf", "enum", "const"].iter().any(|part| branch.contains_key(*part))
    {
        branch.entry("type").or_insert_with(|| shared.clone());
    }
    branch
}
