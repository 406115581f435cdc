//! One event of a stream, read.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::ModelError;
use crate::provider::failure;

/// What an event holds of interest. Values that have an unexpected form are as good as missing.
#[derive(Deserialize)]
pub(super) struct StreamEvent<'a> {
    #[serde(default, rename = "type")]
    pub(super) kind: Value,
    #[serde(default)]
    pub(super) output_index: Value,
    #[serde(default)]
    pub(super) content_index: Value,
    #[serde(default)]
    pub(super) item_id: Value,
    #[serde(default)]
    pub(super) delta: Value,
    #[serde(default)]
    pub(super) name: Value,
    #[serde(default)]
    pub(super) arguments: Value,
    #[serde(default)]
    pub(super) input: Value,
    #[serde(default)]
    pub(super) text: Value,
    #[serde(default)]
    pub(super) refusal: Value,
    #[serde(default)]
    pub(super) error: Value,
    #[serde(borrow)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) response: Option<&'a RawValue>,
}

impl<'a> StreamEvent<'a> {
    pub(super) fn read(data: &'a str) -> Result<Self, ModelError> {
        // serde would take a list for the object, field by field.
        if !data.trim_start().starts_with('{') {
            return Err(ModelError::response("an event of the stream is no JSON object"));
        }
        serde_json::from_str(data)
            .map_err(|error| ModelError::response(format!("an event of the stream cannot be read: {error}")))
    }

    /// The failure that a response of this status ended with.
    pub(super) fn failed(&self, status: &str) -> ModelError {
        let otherwise = || format!("the provider gave no reason (status `{status}`)");
        failure::reported(&Terminal::of(self.response).error, otherwise)
    }

    /// The failure that the event tells itself: in its own fields, or in `error` inside it.
    pub(super) fn own_error(&self, data: &str) -> ModelError {
        let otherwise = || "the provider sent an error without a reason".to_owned();
        if !self.error.is_null() {
            return failure::reported(&self.error, otherwise);
        }
        let mut flat: Value = serde_json::from_str(data).unwrap_or_default();
        if let Some(fields) = flat.as_object_mut() {
            // The type of the event, not of the error.
            fields.shift_remove("type");
        }
        failure::reported(&flat, otherwise)
    }
}

/// What the response object of an event holds of interest.
#[derive(Default, Deserialize)]
pub(super) struct Terminal<'a> {
    #[serde(default)]
    pub(super) id: Value,
    #[serde(default)]
    pub(super) status: Value,
    #[serde(default)]
    pub(super) error: Value,
    #[serde(borrow)]
    pub(super) incomplete_details: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) output: Option<&'a RawValue>,
}

impl<'a> Terminal<'a> {
    pub(super) fn of(response: Option<&'a RawValue>) -> Self {
        let object = response.map(RawValue::get).filter(|text| text.starts_with('{'));
        object.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    pub(super) fn id(&self) -> Option<String> {
        self.id.as_str().map(str::to_owned)
    }
}

/// Whether a JSON value is a list that is not empty.
pub(super) fn has_entries(json: &str) -> bool {
    json.strip_prefix('[').is_some_and(|rest| !rest.trim_start().starts_with(']'))
}
