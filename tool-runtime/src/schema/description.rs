//! Adds to the text of a schema without losing what stands there.

use serde_json::{Map, Value};

/// Puts `text` after the description, as a paragraph of its own; a text that is there already is not repeated.
pub(super) fn append(schema: &mut Map<String, Value>, text: &str) {
    let Some(Value::String(present)) = schema.get_mut("description") else {
        if !text.is_empty() {
            schema.insert("description".to_owned(), text.into());
        }
        return;
    };
    if present.is_empty() {
        text.clone_into(present);
    } else if !text.is_empty() && present != text {
        present.push_str("\n\n");
        present.push_str(text);
    }
}

/// Puts `text` before the description, as a paragraph of its own.
pub(super) fn prepend(schema: &mut Map<String, Value>, text: &str) {
    match schema.remove("description") {
        Some(Value::String(present)) if !present.is_empty() => {
            schema.insert("description".to_owned(), format!("{text}\n\n{present}").into());
        }
        _ => {
            schema.insert("description".to_owned(), text.into());
        }
    }
}

/// Puts `annotations` beside what a schema demands; texts are joined.
pub(super) fn described(
    mut schema: Map<String, Value>,
    annotations: Map<String, Value>,
) -> Map<String, Value> {
    for (keyword, value) in annotations {
        match (keyword.as_str(), &value) {
            ("description", Value::String(text)) => append(&mut schema, text),
            _ => {
                schema.entry(keyword).or_insert(value);
            }
        }
    }
    schema
}
