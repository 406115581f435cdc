//! A completion that comes in chunks.

mod calls;
mod reasoning;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::model::{Delta, ModelError, ModelResponse};
use crate::provider::budget::Budget;
use crate::provider::{failure, sse};
use crate::set::ToolSet;

use super::decode::{decode_response, is_custom, reported_failure, text_of};
use calls::Calls;
use reasoning::ReasoningPieces;

/// Puts a response together from the chunks of a stream.
///
/// What was streamed becomes the completion object that the server would have given without streaming, and that is read by
/// [`decode_response`]: there is one set of rules.
#[derive(Debug)]
pub struct StreamDecoder<'a> {
    set: &'a ToolSet,
    id: Option<String>,
    text: String,
    refusal: String,
    reasoning: ReasoningPieces,
    calls: Calls,
    has_delta: bool,
    finish_reason: Option<String>,
    usage: Value,
    is_done: bool,
    budget: Budget,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    object: Value,
    #[serde(borrow)]
    choices: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct ChunkChoice<'a> {
    #[serde(default)]
    index: Value,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(default)]
    finish_reason: Value,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(default)]
    content: Value,
    #[serde(default)]
    refusal: Value,
    #[serde(borrow)]
    tool_calls: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    function_call: Option<&'a RawValue>,
    #[serde(default)]
    reasoning_content: Value,
    #[serde(default)]
    reasoning: Value,
    #[serde(default)]
    reasoning_details: Value,
}

impl<'a> StreamDecoder<'a> {
    /// A decoder at the beginning of a stream; `set` is the one of the request.
    #[must_use]
    pub fn new(set: &'a ToolSet) -> Self {
        Self {
            set,
            id: None,
            text: String::new(),
            refusal: String::new(),
            reasoning: ReasoningPieces::default(),
            calls: Calls::default(),
            has_delta: false,
            finish_reason: None,
            usage: Value::Null,
            is_done: false,
            budget: Budget::default(),
        }
    }

    /// Takes the data of the next event. Gives the text for the user that is new with it. Events behind `[DONE]` change
    /// nothing.
    ///
    /// # Errors
    ///
    /// When the server reports a failure, the data is no chunk, or more than
    /// [`MAX_STREAMED`](crate::provider::MAX_STREAMED) would have to be kept.
    pub fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError> {
        if self.is_done || data.trim().is_empty() {
            return Ok(None);
        }
        if sse::is_done(data) {
            self.is_done = true;
            return Ok(None);
        }
        // serde would take a list for the object, field by field.
        if !data.trim_start().starts_with('{') {
            return Err(ModelError::response("an event of the stream is no JSON object"));
        }
        let chunk: Chunk<'_> = serde_json::from_str(data).map_err(cannot)?;
        if let Some(error) = reported_failure(data, &chunk.object, &chunk.error) {
            return Err(error);
        }
        self.id = self.id.take().or_else(|| chunk.id.as_str().map(str::to_owned));
        if !chunk.usage.is_null() {
            self.usage = chunk.usage;
        }
        let mut delta = None;
        for raw in chunk.choices.unwrap_or_default().iter().filter(|raw| raw.get().starts_with('{')) {
            let choice: ChunkChoice<'_> = serde_json::from_str(raw.get()).map_err(cannot)?;
            // Other choices than the first are other answers.
            if choice.index.as_u64().unwrap_or(0) == 0 {
                delta = self.choice(&choice)?.or(delta);
            }
        }
        Ok(delta)
    }

    /// Whether the server has said that nothing follows.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.is_done
    }

    /// Ends the stream and gives the response.
    ///
    /// # Errors
    ///
    /// When the stream was cut before the response was complete, and as [`decode_response`].
    pub fn finish(self) -> Result<ModelResponse, ModelError> {
        // Some servers leave out the one, some the other.
        if !self.is_done && self.finish_reason.is_none() {
            return Err(ModelError::response(
                "the stream was cut: it ended before the response was complete",
            ));
        }
        let set = self.set;
        decode_response(&self.completion_object(), set)
    }

    fn choice(&mut self, choice: &ChunkChoice<'_>) -> Result<Option<Delta>, ModelError> {
        if !choice.error.is_null() {
            return Err(failure::reported(&choice.error, || {
                "the server sent an error without a reason".to_owned()
            }));
        }
        if let Some(reason) = choice.finish_reason.as_str().filter(|reason| !reason.is_empty()) {
            self.finished(reason);
        }
        // A server that does not stream gives the message whole; behind pieces it only repeats them.
        let whole = choice.message.filter(|_| !self.has_delta);
        let Some(piece) = choice.delta.or(whole).filter(|piece| piece.get().starts_with('{')) else {
            return Ok(None);
        };
        self.has_delta = true;
        self.piece(&serde_json::from_str(piece.get()).map_err(cannot)?)
    }

    /// A reason that tells of a cut stays, whatever is said behind it.
    fn finished(&mut self, reason: &str) {
        let is_cut = |reason: &str| matches!(reason, "length" | "content_filter");
        if !self.finish_reason.as_deref().is_some_and(is_cut) {
            self.finish_reason = Some(reason.to_owned());
        }
    }

    fn piece(&mut self, piece: &Piece<'_>) -> Result<Option<Delta>, ModelError> {
        let fields = [
            ("reasoning_content", &piece.reasoning_content),
            ("reasoning", &piece.reasoning),
            ("reasoning_details", &piece.reasoning_details),
        ];
        for (field, value) in fields {
            self.reasoning.push(field, value, &mut self.budget)?;
        }
        for raw in piece.tool_calls.iter().flatten() {
            self.calls.piece(raw.get(), &mut self.budget)?;
        }
        if let Some(raw) = piece.function_call {
            self.calls.old_piece(raw.get(), &mut self.budget)?;
        }
        let text = text_of(&piece.content);
        let refusal = text_of(&piece.refusal);
        self.budget.keep(&text)?;
        self.budget.keep(&refusal)?;
        self.text.push_str(&text);
        self.refusal.push_str(&refusal);
        let said = text + &refusal;
        Ok((!said.is_empty()).then_some(Delta::Text(said)))
    }

    /// The completion object as it would have come without streaming.
    fn completion_object(self) -> String {
        let mut message = Map::new();
        message.insert("role".to_owned(), "assistant".into());
        message.insert("content".to_owned(), self.text.into());
        message.insert("refusal".to_owned(), self.refusal.into());
        message.extend(self.reasoning.into_fields());
        message.insert("tool_calls".to_owned(), self.calls.into_json());
        let choice = json!({ "index": 0, "message": message, "finish_reason": self.finish_reason });
        json!({ "id": self.id, "choices": [choice], "usage": self.usage }).to_string()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "has the shape that `map_err` wants")]
fn cannot(error: serde_json::Error) -> ModelError {
    ModelError::response(format!("an event of the stream cannot be read: {error}"))
}
