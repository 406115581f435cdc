//! The body of a request, whatever the format.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{ModelError, StrictDropped, ToolChoice};
use crate::set::Definitions;

/// A request, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedRequest {
    /// The body: one JSON object.
    pub body: String,
    /// Tools that the provider is not asked to enforce although their author wants it.
    pub strict_dropped: Vec<StrictDropped>,
}

/// A JSON object that is written field by field, so that the text of the tools is copied and not parsed again.
#[derive(Default)]
pub(super) struct Body {
    text: String,
}

impl Body {
    pub(super) fn field(&mut self, name: &str, value: &impl Serialize) -> Result<(), ModelError> {
        let value = serde_json::to_string(value).map_err(|error| {
            ModelError::request(format!("the field `{name}` cannot be written as JSON: {error}"))
        })?;
        self.raw(name, &value);
        Ok(())
    }

    pub(super) fn optional(&mut self, name: &str, value: Option<&impl Serialize>) -> Result<(), ModelError> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    /// A field whose value is JSON already.
    pub(super) fn raw(&mut self, name: &str, json: &str) {
        self.text.push(if self.text.is_empty() { '{' } else { ',' });
        self.text.push_str(&Value::from(name).to_string());
        self.text.push(':');
        self.text.push_str(json);
    }

    /// The fields that a client brings itself.
    pub(super) fn extra(&mut self, extra: &Map<String, Value>) -> Result<(), ModelError> {
        extra.iter().try_for_each(|(name, value)| self.field(name, value))
    }

    pub(super) fn finish(mut self, offered: &Definitions) -> EncodedRequest {
        if self.text.is_empty() {
            self.text.push('{');
        }
        self.text.push('}');
        let dropped = offered.strict_dropped.iter();
        let strict_dropped = dropped.map(|(tool, reason)| StrictDropped::new(tool, reason)).collect();
        EncodedRequest { body: self.text, strict_dropped }
    }
}

/// # Errors
///
/// When a client brings a field that the format writes itself.
pub(super) fn refuse_own_fields(extra: &Map<String, Value>, own: &[&str]) -> Result<(), ModelError> {
    match extra.keys().find(|field| own.contains(&field.as_str())) {
        None => Ok(()),
        Some(field) => Err(ModelError::request(format!(
            "the extra field `{field}` is written by the format itself: leave it out of the settings"
        ))),
    }
}

/// # Errors
///
/// When a call is forced where there is nothing to call.
pub(super) fn refuse_forced_choice(choice: &ToolChoice) -> Result<(), ModelError> {
    match choice {
        ToolChoice::Auto | ToolChoice::None => Ok(()),
        ToolChoice::Required | ToolChoice::Tool(_) => {
            Err(ModelError::request("a call is forced, and no tool is offered that could be called"))
        }
    }
}

/// Puts a comma where another entry of a JSON list follows.
pub(super) fn separate(text: &mut String) {
    if !text.is_empty() && !text.ends_with('[') {
        text.push(',');
    }
}
