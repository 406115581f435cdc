//! `anyOf`, and `oneOf` where it means the same.

use serde_json::{Map, Value};

use super::super::description::described;
use super::super::keywords::decides;
use super::super::walk::Path;
use super::super::words::annotations;
use super::Conversion;

impl Conversion<'_> {
    pub(super) fn union(&mut self, schema: &Map<String, Value>, path: Path<'_>) -> Map<String, Value> {
        let keyword = if schema.contains_key("anyOf") { "anyOf" } else { "oneOf" };
        let Some(Value::Array(branches)) = schema.get(keyword) else { return Map::new() };
        let shared_type = schema.get("type").filter(|name| name.is_string());
        if let Some(beside) = schema
            .keys()
            .find(|key| decides(key) && *key != keyword && !(*key == "type" && shared_type.is_some()))
        {
            self.report(
                path,
                format!("strict cannot say `{keyword}` and `{beside}` beside it; write `{beside}` into each branch"),
            );
            return Map::new();
        }
        if path.is_root() {
            self.report(path, format!("strict takes no `{keyword}` at the root; put it under a property"));
            return Map::new();
        }
        if keyword == "oneOf" && !self.comparison.all_disjoint(branches) {
            self.report(
                path,
                "strict has no `oneOf`, and a value may fit two of these branches; write `anyOf`, or give each \
                 branch a required property with a `const` of its own",
            );
        }
        let under = path.name(keyword);
        let mut converted = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            let mut branch = branch.clone();
            if let (Value::Object(branch), Some(name)) = (&mut branch, shared_type)
                && !["$ref", "allOf", "anyOf", "oneOf"].iter().any(|part| branch.contains_key(*part))
            {
                branch.entry("type").or_insert_with(|| name.clone());
            }
            converted.push(Value::Object(self.schema(&branch, under.index(index))));
        }
        let union = Map::from_iter([("anyOf".to_owned(), Value::Array(converted))]);
        described(union, annotations(schema, path))
    }
}
