//! A call of `agent`, read from what the program gave.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::workflow::schema::ResultSchema;

/// The longest label, and name of a profile, in characters.
const MAX_LABEL: usize = 200;

/// A call of `agent`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AgentCall {
    /// What the agent is asked.
    pub prompt: String,
    /// What the call is called in lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The schema of its result; a text if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The model that is asked; the usual one if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_profile: Option<String>,
}

impl AgentCall {
    /// A call as one text: equal calls have equal texts.
    #[must_use]
    pub fn to_text(&self) -> String {
        // An object with keys that are texts always has a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The call that [`to_text`](Self::to_text) gave.
    ///
    /// # Errors
    ///
    /// When it is no such text.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// A call with the options that a program gave, as JSON.
    ///
    /// # Errors
    ///
    /// All that is wrong with them, in a sentence.
    pub(super) fn read(prompt: String, options: &str) -> Result<Self, String> {
        let options: Value = serde_json::from_str(options)
            .map_err(|error| format!("the options of `agent` cannot be read: {error}"))?;
        let mut call = Self { prompt, label: None, schema: None, model_profile: None };
        let options = match options {
            Value::Null => return Ok(call),
            Value::Object(options) => options,
            _ => {
                return Err(
                    "the options of `agent` must be an object, like `{ label: \"first\" }`".to_owned()
                );
            }
        };
        let mut wrong = Vec::new();
        for (name, value) in options {
            // Left out and null say the same.
            if value.is_null() {
                continue;
            }
            match (name.as_str(), value) {
                ("label", value) => call.label = short_text("label", value, &mut wrong),
                ("model_profile", value) => {
                    call.model_profile = short_text("model_profile", value, &mut wrong);
                }
                ("schema", value) => match ResultSchema::new(&value) {
                    Ok(_) => call.schema = Some(value),
                    Err(faults) => wrong.extend(faults),
                },
                (other, _) => wrong.push(format!(
                    "`{}` is no option; there are `label`, `schema` and `model_profile`",
                    other.escape_debug()
                )),
            }
        }
        if wrong.is_empty() { Ok(call) } else { Err(format!("the options of `agent`: {}", wrong.join("; "))) }
    }

    /// What it is called: its label, or the beginning of its prompt.
    #[must_use]
    pub fn title(&self) -> String {
        /// How much of a prompt stands for a label, in bytes.
        const BEGINNING: usize = 60;
        let text = self.label.as_deref().unwrap_or(&self.prompt);
        let line = text.trim().lines().next().unwrap_or_default();
        let beginning = line.get(..line.floor_char_boundary(BEGINNING)).unwrap_or_default();
        // Not every database has a place for it.
        beginning.replace('\0', "")
    }
}

fn short_text(name: &str, value: Value, wrong: &mut Vec<String>) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() && text.chars().count() <= MAX_LABEL => Some(text),
        _ => {
            wrong.push(format!("`{name}` must be a text of 1 to {MAX_LABEL} characters that is not blank"));
            None
        }
    }
}
