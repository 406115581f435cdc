//! What a provider's form of a schema says otherwise than the author's own.

use serde_json::{Map, Value};

/// Schemas within schemas beyond this depth are not compared.
const MAX_DEPTH: usize = 16;

/// The differences, one sentence for each place; empty if there are none.
pub(crate) fn changes(author: &Value, wire: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(Side { root: author, schema: author }, Side { root: wire, schema: wire }, "", 0, &mut found);
    found
}

/// A schema, and the root in which its references lead.
#[derive(Clone, Copy)]
struct Side<'a> {
    root: &'a Value,
    schema: &'a Value,
}

impl<'a> Side<'a> {
    /// What stands there, a reference followed unless `other` refers too.
    fn map(self, other: &Value) -> Option<&'a Map<String, Value>> {
        let reference = self.schema.get("$ref").filter(|_| other.get("$ref").is_none());
        let pointer = reference.and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        pointer.and_then(|pointer| self.root.pointer(pointer)).unwrap_or(self.schema).as_object()
    }

    fn at(self, schema: &'a Value) -> Self {
        Self { schema, ..self }
    }
}

fn compare(author: Side<'_>, wire: Side<'_>, place: &str, depth: usize, found: &mut Vec<String>) {
    let (Some(written), Some(sent)) = (author.map(wire.schema), wire.map(author.schema)) else { return };
    let words = differences(written, sent);
    if !words.is_empty() {
        let place = if place.is_empty() { "the object".to_owned() } else { format!("`{place}`") };
        found.push(format!("{place} {}", words.join("; ")));
    }
    if depth == MAX_DEPTH {
        return;
    }
    for (name, before, after) in inner(written, sent) {
        let separator = if place.is_empty() || name.starts_with('[') { "" } else { "." };
        compare(author.at(before), wire.at(after), &format!("{place}{separator}{name}"), depth + 1, found);
    }
}

/// The schemas below both, each with what its place is called.
fn inner<'a>(
    written: &'a Map<String, Value>,
    sent: &'a Map<String, Value>,
) -> Vec<(String, &'a Value, &'a Value)> {
    let mut pairs = Vec::new();
    let both = |keyword: &str| Some((written.get(keyword)?, sent.get(keyword)?));
    if let Some((Value::Object(before), Value::Object(after))) = both("properties") {
        pairs.extend(before.iter().filter_map(|(key, before)| Some((key.clone(), before, after.get(key)?))));
    }
    pairs.extend(both("items").map(|(before, after)| ("[]".to_owned(), before, after)));
    pairs.extend(both("additionalProperties").map(|(before, after)| ("[any key]".to_owned(), before, after)));
    for keyword in ["anyOf", "oneOf"] {
        if let Some((Value::Array(before), Value::Array(after))) = both(keyword) {
            let members = before.iter().zip(after).enumerate();
            pairs.extend(
                members.map(|(index, (before, after))| (format!("[{keyword} {}]", index + 1), before, after)),
            );
        }
    }
    pairs
}

/// What one schema says otherwise than the other, apart from the schemas below.
fn differences(written: &Map<String, Value>, sent: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    let lost = listed(written, sent);
    if !lost.is_empty() {
        words.push(format!("without {}", lost.join(", ")));
    }
    let gained = listed(sent, written);
    if !gained.is_empty() {
        words.push(format!("with {}", gained.join(", ")));
    }
    for (keyword, before) in written.iter().filter(|(keyword, _)| is_plain(keyword)) {
        if let Some(after) = sent.get(keyword).filter(|after| *after != before) {
            words.push(format!("has `{keyword}` {after} for {before}"));
        }
    }
    let text = |map: &Map<String, Value>| {
        map.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (before, after) = (text(written), text(sent));
    if before != after {
        let added = after.strip_prefix(&before).map_or(after.trim(), str::trim);
        words.push(format!("says in its description: {added}"));
    }
    words
}

/// The keywords of one that the other lacks.
fn listed(of: &Map<String, Value>, lacking_in: &Map<String, Value>) -> Vec<String> {
    let keywords = of.keys().filter(|keyword| !lacking_in.contains_key(*keyword));
    keywords
        .filter(|keyword| !matches!(keyword.as_str(), "description" | "$defs"))
        .map(|keyword| format!("`{keyword}`"))
        .collect()
}

/// Whether a keyword holds no schemas.
fn is_plain(keyword: &str) -> bool {
    !matches!(
        keyword,
        "description"
            | "$defs"
            | "$ref"
            | "properties"
            | "items"
            | "additionalProperties"
            | "anyOf"
            | "oneOf"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_schemas_have_no_changes() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}});
        assert!(changes(&schema, &schema).is_empty());
    }

    #[test]
    fn each_place_has_one_sentence() {
        let author = json!({
            "$schema": "x", "type": "object",
            "properties": {"list": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
            "$defs": {"item": {"type": "integer", "minimum": 1, "description": "A number."}},
        });
        let wire = json!({
            "type": "object", "additionalProperties": false,
            "properties": {"list": {"type": ["array", "null"], "items": {"type": "integer", "description": "A number. (At least 1.)"}}},
        });
        let expected = [
            "the object without `$schema`; with `additionalProperties`",
            "`list` has `type` [\"array\",\"null\"] for \"array\"",
            "`list[]` without `minimum`; says in its description: (At least 1.)",
        ];
        assert_eq!(changes(&author, &wire), expected);
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let author = json!({"properties": {"next": {"$ref": "#"}}});
        let wire = json!({"properties": {"next": {"properties": {"next": {"$ref": "#"}}}}});
        assert!(changes(&author, &wire).is_empty());
    }
}
