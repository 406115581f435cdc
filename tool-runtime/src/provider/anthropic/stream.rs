//! A message that comes in events.

mod block;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{Delta, ModelError, ModelResponse};
use crate::provider::budget::Budget;
use crate::set::ToolSet;

use super::decode::{decode_response, reported_failure};
use block::StreamedBlock;

/// Puts a message together from the events of a stream, which are keyed by the index of their block.
///
/// What was streamed becomes the message that the provider would have given without streaming, and that is read by
/// [`decode_response`]: there is one set of rules.
#[derive(Debug)]
pub struct StreamDecoder<'a> {
    set: &'a ToolSet,
    id: Value,
    container: Value,
    blocks: BTreeMap<u64, StreamedBlock>,
    stop_reason: Value,
    usage: Value,
    is_done: bool,
    budget: Budget,
}

/// What an event holds of interest. Values that have an unexpected form are as good as missing.
#[derive(Deserialize)]
struct StreamEvent<'a> {
    #[serde(default, rename = "type")]
    kind: Value,
    #[serde(default)]
    index: Value,
    #[serde(default)]
    message: Value,
    #[serde(borrow)]
    content_block: Option<&'a RawValue>,
    #[serde(default)]
    delta: Value,
    #[serde(default)]
    usage: Value,
    #[serde(default)]
    error: Value,
}

impl<'a> StreamDecoder<'a> {
    /// A decoder at the beginning of a stream; `set` is the one of the request.
    #[must_use]
    pub fn new(set: &'a ToolSet) -> Self {
        Self {
            set,
            id: Value::Null,
            container: Value::Null,
            blocks: BTreeMap::new(),
            stop_reason: Value::Null,
            usage: Value::Null,
            is_done: false,
            budget: Budget::default(),
        }
    }

    /// Takes the data of the next event. Gives the text for the user that is new with it.
    ///
    /// Pings, events of unknown types, and those behind the end of the message change nothing.
    ///
    /// # Errors
    ///
    /// When the provider reports a failure, the data is no event, or more than
    /// [`MAX_STREAMED`](crate::provider::MAX_STREAMED) would have to be kept.
    pub fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError> {
        if self.is_done || data.trim().is_empty() {
            return Ok(None);
        }
        // serde would take a list for the object, field by field.
        if !data.trim_start().starts_with('{') {
            return Err(ModelError::response("an event of the stream is no JSON object"));
        }
        let event: StreamEvent<'_> = serde_json::from_str(data).map_err(|error| {
            ModelError::response(format!("an event of the stream cannot be read: {error}"))
        })?;
        if let Some(error) = reported_failure(&event.kind, &event.error) {
            return Err(error);
        }
        match event.kind.as_str() {
            Some("message_start") => {
                self.message(&event.message);
                merge(&mut self.usage, event.message.get("usage"));
            }
            Some("content_block_start") => return self.start(&event),
            Some("content_block_delta") => return self.delta(&event),
            Some("message_delta") => {
                self.message(&event.delta);
                merge(&mut self.usage, Some(&event.usage));
            }
            Some("message_stop") => self.is_done = true,
            _ => {}
        }
        Ok(None)
    }

    /// Whether the message is complete, so that nothing more has to be read.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_done
    }

    /// Ends the stream and gives the response.
    ///
    /// # Errors
    ///
    /// When the stream was cut before the message was complete, and as [`decode_response`].
    pub fn finish(self) -> Result<ModelResponse, ModelError> {
        // Some servers leave out the one, some the other.
        if !self.is_done && self.stop_reason.is_null() {
            return Err(ModelError::response(
                "the stream was cut: it ended before the response was complete",
            ));
        }
        let blocks: Vec<String> = self.blocks.values().filter_map(StreamedBlock::to_json).collect();
        let message = format!(
            r#"{{"id":{},"container":{},"stop_reason":{},"usage":{},"content":[{}]}}"#,
            self.id,
            self.container,
            self.stop_reason,
            self.usage,
            blocks.join(",")
        );
        decode_response(&message, self.set)
    }

    /// Takes over what the start or the end of a message says of the whole.
    fn message(&mut self, message: &Value) {
        let fields = [
            ("id", &mut self.id),
            ("container", &mut self.container),
            ("stop_reason", &mut self.stop_reason),
        ];
        for (key, field) in fields {
            if let Some(value) = message.get(key).filter(|value| !value.is_null()) {
                *field = value.clone();
            }
        }
    }

    fn start(&mut self, event: &StreamEvent<'_>) -> Result<Option<Delta>, ModelError> {
        let Some(block) = event.content_block else { return Ok(None) };
        self.budget.keep_entry()?;
        self.budget.keep(block.get())?;
        let block = StreamedBlock::new(block);
        let said = block.text().to_owned();
        self.blocks.insert(self.index(event), block);
        Ok((!said.is_empty()).then_some(Delta::Text(said)))
    }

    fn delta(&mut self, event: &StreamEvent<'_>) -> Result<Option<Delta>, ModelError> {
        let index = self.index(event);
        if !self.blocks.contains_key(&index) {
            self.budget.keep_entry()?;
        }
        self.blocks.entry(index).or_default().add(&event.delta, &mut self.budget)
    }

    /// A server that gives no index means the last block.
    fn index(&self, event: &StreamEvent<'_>) -> u64 {
        let last = || self.blocks.last_key_value().map_or(0, |(index, _)| *index);
        let new = || self.blocks.last_key_value().map_or(0, |(index, _)| index.saturating_add(1));
        let is_start = event.content_block.is_some();
        event.index.as_u64().unwrap_or_else(|| if is_start { new() } else { last() })
    }
}

/// Later counts replace earlier ones.
fn merge(usage: &mut Value, more: Option<&Value>) {
    match (usage, more) {
        (Value::Object(usage), Some(Value::Object(more))) => {
            let more = more.iter().filter(|(_, value)| !value.is_null());
            usage.extend(more.map(|(key, value)| (key.clone(), value.clone())));
        }
        (usage, Some(more @ Value::Object(_))) => *usage = more.clone(),
        _ => {}
    }
}
