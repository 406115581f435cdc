//! One block of a streamed message.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::model::{Delta, ModelError};
use crate::provider::budget::Budget;

/// A block, and what its pieces have added.
#[derive(Debug, Default)]
pub(super) struct StreamedBlock {
    /// As it was when it began; empty where the beginning never came.
    start: Map<String, Value>,
    /// The same as text, which keeps every digit.
    start_json: String,
    /// The pieces of its texts, by field.
    texts: BTreeMap<&'static str, String>,
    /// The pieces of its arguments.
    input: String,
    citations: Vec<Value>,
}

impl StreamedBlock {
    pub(super) fn new(start: &RawValue) -> Self {
        Self {
            start: serde_json::from_str(start.get()).unwrap_or_default(),
            start_json: start.get().to_owned(),
            ..Self::default()
        }
    }

    /// The text that came with the beginning.
    pub(super) fn text(&self) -> &str {
        let is_text = self.start.get("type").is_some_and(|kind| kind == "text");
        self.start.get("text").and_then(Value::as_str).filter(|_| is_text).unwrap_or_default()
    }

    /// Adds a piece. Gives what of it is for the user.
    pub(super) fn add(&mut self, delta: &Value, budget: &mut Budget) -> Result<Option<Delta>, ModelError> {
        let text = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        match delta.get("type").and_then(Value::as_str) {
            Some("text_delta") => {
                let said = text("text");
                self.append("text", "text", said, budget)?;
                return Ok((!said.is_empty()).then(|| Delta::Text(said.to_owned())));
            }
            Some("thinking_delta") => self.append("thinking", "thinking", text("thinking"), budget)?,
            Some("signature_delta") => self.append("thinking", "signature", text("signature"), budget)?,
            Some("input_json_delta") => {
                budget.keep(text("partial_json"))?;
                self.input.push_str(text("partial_json"));
            }
            Some("citations_delta") => {
                if let Some(citation) = delta.get("citation") {
                    budget.keep(&citation.to_string())?;
                    self.citations.push(citation.clone());
                }
            }
            _ => {}
        }
        Ok(None)
    }

    fn append(
        &mut self,
        kind: &str,
        field: &'static str,
        piece: &str,
        budget: &mut Budget,
    ) -> Result<(), ModelError> {
        budget.keep(piece)?;
        self.start.entry("type").or_insert_with(|| kind.into());
        let begun = self.start.get(field).and_then(Value::as_str).unwrap_or_default();
        self.texts.entry(field).or_insert_with(|| begun.to_owned()).push_str(piece);
        Ok(())
    }

    /// The block as it would have come without streaming; `None` if nothing is known of it.
    pub(super) fn to_json(&self) -> Option<String> {
        if self.texts.is_empty() && self.input.is_empty() && self.citations.is_empty() {
            return (!self.start.is_empty()).then(|| self.start_json.clone());
        }
        let mut block = self.start.clone();
        block.extend(self.texts.iter().map(|(field, text)| ((*field).to_owned(), text.as_str().into())));
        if !self.citations.is_empty() {
            let mut all = block.get("citations").and_then(Value::as_array).cloned().unwrap_or_default();
            all.extend(self.citations.iter().cloned());
            block.insert("citations".to_owned(), all.into());
        }
        if !self.input.is_empty() {
            block.entry("type").or_insert_with(|| "tool_use".into());
            let is_call = block.get("type").is_some_and(|kind| kind == "tool_use");
            // The arguments of our tools stay as they came, broken or not; those of the provider's go back to it.
            let input = match serde_json::from_str(&self.input) {
                Ok(input @ Value::Object(_)) if !is_call => input,
                _ if is_call => Value::from(&*self.input),
                _ => Value::Object(Map::new()),
            };
            block.insert("input".to_owned(), input);
        }
        Some(Value::Object(block).to_string())
    }
}
