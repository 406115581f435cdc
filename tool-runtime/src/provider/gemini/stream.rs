//! A response that comes in chunks.

use serde_json::{Map, Value};

use crate::model::{Delta, ModelError, ModelResponse};
use crate::provider::budget::Budget;
use crate::set::ToolSet;

use super::decode::{Candidate, decode_response, first_candidate, parts, read};

/// Puts a response together from the chunks of a stream, each of which is a response with some parts. Calls come whole.
///
/// What was streamed becomes the response that the provider would have given without streaming, and that is read by
/// [`decode_response`]: there is one set of rules.
#[derive(Debug)]
pub struct StreamDecoder<'a> {
    set: &'a ToolSet,
    id: Value,
    parts: Vec<StreamedPart>,
    finish_reason: Value,
    finish_message: Value,
    usage: Value,
    budget: Budget,
}

#[derive(Debug)]
enum StreamedPart {
    /// A text and nothing else, or a thought; neighbours are joined.
    Text { text: String, is_thought: bool },
    /// Anything else, as it came.
    Whole(String),
}

impl<'a> StreamDecoder<'a> {
    /// A decoder at the beginning of a stream; `set` is the one of the request.
    #[must_use]
    pub fn new(set: &'a ToolSet) -> Self {
        Self {
            set,
            id: Value::Null,
            parts: Vec::new(),
            finish_reason: Value::Null,
            finish_message: Value::Null,
            usage: Value::Null,
            budget: Budget::default(),
        }
    }

    /// Takes the data of the next event. Gives the text for the user that is new with it.
    ///
    /// # Errors
    ///
    /// When the provider reports a failure or blocked the request, the data is no chunk, or more than
    /// [`MAX_STREAMED`](crate::provider::MAX_STREAMED) would have to be kept.
    pub fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError> {
        if data.trim().is_empty() {
            return Ok(None);
        }
        let chunk = read(data, "an event of the stream")?;
        if self.id.is_null() {
            self.id = chunk.response_id.clone();
        }
        if chunk.usage_metadata.is_object() {
            self.usage = chunk.usage_metadata.clone();
        }
        match first_candidate(&chunk)? {
            Some(candidate) => self.candidate(&candidate),
            None => Ok(None),
        }
    }

    /// Whether the provider has said why it stopped. Nothing but counts of tokens follows.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        !self.finish_reason.is_null()
    }

    /// Ends the stream and gives the response.
    ///
    /// # Errors
    ///
    /// When the stream was cut before the response was complete, and as [`decode_response`].
    pub fn finish(self) -> Result<ModelResponse, ModelError> {
        if !self.is_finished() {
            return Err(ModelError::response(
                "the stream was cut: it ended before the response was complete",
            ));
        }
        let parts: Vec<String> = self.parts.into_iter().map(StreamedPart::into_json).collect();
        let response = format!(
            r#"{{"responseId":{},"usageMetadata":{},"candidates":[{{"content":{{"parts":[{}]}},"finishReason":{},"finishMessage":{}}}]}}"#,
            self.id,
            self.usage,
            parts.join(","),
            self.finish_reason,
            self.finish_message,
        );
        decode_response(&response, self.set)
    }

    fn candidate(&mut self, candidate: &Candidate<'_>) -> Result<Option<Delta>, ModelError> {
        let mut said = String::new();
        for raw in parts(candidate)? {
            let part: Map<String, Value> = serde_json::from_str(raw.get()).map_err(|error| {
                ModelError::response(format!("a part of the stream cannot be read: {error}"))
            })?;
            self.budget.keep(raw.get())?;
            let is_thought = part.get("thought") == Some(&Value::Bool(true));
            let text = part.get("text").and_then(Value::as_str);
            if let (Some(text), false) = (text, is_thought) {
                said.push_str(text);
            }
            let is_plain = part.keys().all(|key| key == "text" || key == "thought");
            match (text.filter(|_| is_plain), self.parts.last_mut()) {
                (Some(more), Some(StreamedPart::Text { text, is_thought: before }))
                    if *before == is_thought =>
                {
                    text.push_str(more);
                }
                (Some(text), _) => {
                    self.budget.keep_entry()?;
                    self.parts.push(StreamedPart::Text { text: text.to_owned(), is_thought });
                }
                (None, _) => {
                    self.budget.keep_entry()?;
                    self.parts.push(StreamedPart::Whole(raw.get().to_owned()));
                }
            }
        }
        if candidate.finish_reason.is_string() {
            self.finish_reason = candidate.finish_reason.clone();
            self.finish_message = candidate.finish_message.clone();
        }
        Ok((!said.is_empty()).then_some(Delta::Text(said)))
    }
}

impl StreamedPart {
    fn into_json(self) -> String {
        match self {
            Self::Whole(json) => json,
            Self::Text { text, is_thought } => {
                let mut part = Map::from_iter([("text".to_owned(), Value::from(text))]);
                part.extend(is_thought.then(|| ("thought".to_owned(), true.into())));
                Value::Object(part).to_string()
            }
        }
    }
}
