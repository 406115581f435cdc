//! The reasoning of a model while it streams in.

use serde_json::{Map, Value};

use crate::model::ModelError;
use crate::provider::budget::Budget;

/// What came of it, by field: texts are joined, entries of a list are told apart by `index` and `type`.
#[derive(Debug, Default)]
pub(super) struct ReasoningPieces {
    fields: Map<String, Value>,
}

impl ReasoningPieces {
    pub(super) fn push(&mut self, field: &str, piece: &Value, budget: &mut Budget) -> Result<(), ModelError> {
        match piece {
            Value::Null => {}
            Value::Array(entries) => {
                let kept = self.fields.entry(field).or_insert_with(|| Value::Array(Vec::new()));
                let Value::Array(kept) = kept else { return Ok(()) };
                for entry in entries {
                    budget.keep_entry()?;
                    budget.keep(&entry.to_string())?;
                    push_entry(kept, entry);
                }
            }
            Value::String(piece) => {
                budget.keep(piece)?;
                let kept = self.fields.entry(field).or_insert_with(|| Value::String(String::new()));
                if let Value::String(kept) = kept {
                    kept.push_str(piece);
                }
            }
            other => {
                budget.keep(&other.to_string())?;
                self.fields.insert(field.to_owned(), other.clone());
            }
        }
        Ok(())
    }

    pub(super) fn into_fields(self) -> Map<String, Value> {
        self.fields
    }
}

/// More of the last entry, or a new one. Entries come one after the other.
fn push_entry(entries: &mut Vec<Value>, piece: &Value) {
    let same = |entry: &Value, key: &str| entry.get(key) == piece.get(key);
    let last = entries.last_mut().filter(|last| same(last, "index") && same(last, "type"));
    let (Some(Value::Object(entry)), Some(piece)) = (last, piece.as_object()) else {
        entries.push(piece.clone());
        return;
    };
    for (key, value) in piece.iter().filter(|(_, value)| !value.is_null()) {
        match (entry.get_mut(key), value) {
            (Some(Value::String(kept)), Value::String(more))
                if matches!(key.as_str(), "text" | "summary") =>
            {
                kept.push_str(more);
            }
            _ => {
                entry.insert(key.clone(), value.clone());
            }
        }
    }
}
