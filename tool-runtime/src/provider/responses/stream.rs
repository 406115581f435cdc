//! A response that comes in events.

mod event;
mod item;

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::{Delta, ModelError, ModelResponse};
use crate::provider::budget::Budget;
use crate::provider::sse;

use super::decode_response;
use event::{StreamEvent, Terminal, has_entries};
use item::{Head, StreamedItem};

/// Puts a response together from the events of a stream.
///
/// What was streamed becomes the response object that the provider would have given without streaming, and that is read by
/// [`decode_response`]: there is one set of rules. Items are told apart by `output_index`, since some hosts give an item
/// another id in each event.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    items: Vec<StreamedItem>,
    /// Where the item of an `output_index` stands.
    by_index: HashMap<u64, usize>,
    id: Option<String>,
    end: Option<End>,
    budget: Budget,
}

/// The event that ends a response.
#[derive(Debug)]
struct End {
    status: &'static str,
    response: Option<Box<RawValue>>,
}

impl StreamDecoder {
    /// A decoder at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the data of the next event. Gives the text for the user that is new with it.
    ///
    /// Events of unknown types, those behind the end of the response, and `[DONE]` change nothing.
    ///
    /// # Errors
    ///
    /// When the provider reports a failure, the data is no event, or more than
    /// [`MAX_STREAMED`](crate::provider::MAX_STREAMED) would have to be kept.
    pub fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError> {
        if self.is_finished() || data.trim().is_empty() || sse::is_done(data) {
            return Ok(None);
        }
        let event = StreamEvent::read(data)?;
        self.take(&event, data)
    }

    /// Whether the response is complete, so that nothing more has to be read.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.end.is_some()
    }

    /// Ends the stream and gives the response.
    ///
    /// # Errors
    ///
    /// When the stream was cut before the response was complete, and as [`decode_response`].
    pub fn finish(mut self) -> Result<ModelResponse, ModelError> {
        let Some(end) = self.end.take() else {
            return Err(ModelError::response(
                "the stream was cut: it ended before the response was complete",
            ));
        };
        decode_response(&self.response_object(&end))
    }

    fn take(&mut self, event: &StreamEvent<'_>, data: &str) -> Result<Option<Delta>, ModelError> {
        match event.kind.as_str() {
            Some("response.output_item.added") => self.added(event)?,
            Some("response.output_item.done") => self.done(event)?,
            Some("response.function_call_arguments.delta") => {
                self.input(event, "function_call", &event.delta, Write::More)?;
            }
            Some("response.function_call_arguments.done") => {
                self.input(event, "function_call", &event.arguments, Write::All)?;
            }
            Some("response.custom_tool_call_input.delta") => {
                self.input(event, "custom_tool_call", &event.delta, Write::More)?;
            }
            Some("response.custom_tool_call_input.done") => {
                self.input(event, "custom_tool_call", &event.input, Write::All)?;
            }
            Some("response.output_text.delta") => {
                return self.message(event, "text", &event.delta, Write::More);
            }
            Some("response.refusal.delta") => {
                return self.message(event, "refusal", &event.delta, Write::More);
            }
            Some("response.output_text.done") => {
                return self.message(event, "text", &event.text, Write::All);
            }
            Some("response.refusal.done") => {
                return self.message(event, "refusal", &event.refusal, Write::All);
            }
            Some("response.completed") => self.end(event, "completed")?,
            Some("response.incomplete") => self.end(event, "incomplete")?,
            Some("response.failed") => return Err(event.failed("failed")),
            Some("response.cancelled") => return Err(event.failed("cancelled")),
            Some("error") => return Err(event.own_error(data)),
            None if !event.error.is_null() => return Err(event.own_error(data)),
            _ => self.id = self.id.take().or_else(|| Terminal::of(event.response).id()),
        }
        Ok(None)
    }

    fn added(&mut self, event: &StreamEvent<'_>) -> Result<(), ModelError> {
        let Some(item) = event.item else { return Ok(()) };
        self.budget.keep(item.get())?;
        let head = Head::of(item);
        let known = self.known(event, Some(&head)).filter(|&at| {
            self.items.get(at).is_some_and(|known| known.head.is_none() || known.is_same(&head))
        });
        let at = self.at(known, event)?;
        if let Some(slot) = self.items.get_mut(at)
            && slot.done.is_none()
        {
            slot.added = Some(item.to_owned());
            slot.head = Some(head);
        }
        Ok(())
    }

    /// The item as it is in the end. Nothing of an earlier copy counts: ids, reasoning and code differ in those.
    fn done(&mut self, event: &StreamEvent<'_>) -> Result<(), ModelError> {
        let Some(item) = event.item else { return Ok(()) };
        self.budget.keep(item.get())?;
        let head = Head::of(item);
        let known = self.known(event, Some(&head)).filter(|&at| {
            self.items.get(at).is_some_and(|known| known.done.is_none() || known.is_same(&head))
        });
        let at = self.at(known, event)?;
        if let Some(slot) = self.items.get_mut(at) {
            slot.done = Some(item.to_owned());
            slot.head = Some(head);
        }
        Ok(())
    }

    fn input(
        &mut self,
        event: &StreamEvent<'_>,
        kind: &'static str,
        text: &Value,
        write: Write,
    ) -> Result<(), ModelError> {
        let text = text.as_str().unwrap_or_default();
        self.budget.keep(text)?;
        let at = self.at(self.known(event, None), event)?;
        if let Some(slot) = self.items.get_mut(at) {
            slot.guess = Some(kind);
            slot.name = event.name.as_str().map(str::to_owned).or(slot.name.take());
            write.to(&mut slot.input, text);
        }
        Ok(())
    }

    fn message(
        &mut self,
        event: &StreamEvent<'_>,
        part: &'static str,
        text: &Value,
        write: Write,
    ) -> Result<Option<Delta>, ModelError> {
        let text = text.as_str().unwrap_or_default();
        self.budget.keep(text)?;
        let at = self.at(self.known(event, None), event)?;
        let index = event.content_index.as_u64().unwrap_or(0);
        let Some(slot) = self.items.get_mut(at) else { return Ok(None) };
        slot.guess = slot.guess.or(Some("message"));
        if !slot.parts.contains_key(&index) {
            self.budget.keep_entry()?;
        }
        let (_, written) = slot.parts.entry(index).or_insert((part, String::new()));
        // The whole text at the end of a part is news only where no pieces came before it.
        let is_news = !text.is_empty() && (write == Write::More || written.is_empty());
        write.to(written, text);
        Ok(is_news.then(|| Delta::Text(text.to_owned())))
    }

    fn end(&mut self, event: &StreamEvent<'_>, status: &'static str) -> Result<(), ModelError> {
        if let Some(response) = event.response {
            self.budget.keep(response.get())?;
        }
        self.end = Some(End { status, response: event.response.map(ToOwned::to_owned) });
        Ok(())
    }

    /// The item that an event is about, if it is known.
    fn known(&self, event: &StreamEvent<'_>, head: Option<&Head>) -> Option<usize> {
        if let Some(index) = event.output_index.as_u64() {
            return self.by_index.get(&index).copied();
        }
        let id = event.item_id.as_str().or(head.and_then(|head| head.id.as_deref()));
        let has_id = |item: &StreamedItem| {
            let known = item.head.as_ref().and_then(|head| head.id.as_deref());
            known.is_some() && known == id
        };
        let last = || if head.is_none() { self.items.len().checked_sub(1) } else { None };
        self.items.iter().rposition(has_id).or_else(last)
    }

    /// The place of a known item, or of a new one.
    fn at(&mut self, known: Option<usize>, event: &StreamEvent<'_>) -> Result<usize, ModelError> {
        if let Some(at) = known {
            return Ok(at);
        }
        self.budget.keep_entry()?;
        let at = self.items.len();
        let index = event.output_index.as_u64();
        self.items.push(StreamedItem { index, ..StreamedItem::default() });
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        Ok(at)
    }

    /// The response object as it would have come without streaming. The items of the last event win, where it has some.
    fn response_object(&mut self, end: &End) -> String {
        let last = Terminal::of(end.response.as_deref());
        let raw = |value: Option<&RawValue>| value.map_or("null", RawValue::get).to_owned();
        let own_output = last.output.map(RawValue::get).filter(|text| has_entries(text));
        let output = own_output.map_or_else(|| self.streamed_output(), str::to_owned);
        let id = last.id().or(self.id.take());
        // A copy from the time when the response was not finished says less than the event that ends it.
        let own_status = last.status.as_str().filter(|status| !matches!(*status, "queued" | "in_progress"));
        let status = Value::from(own_status.unwrap_or(end.status));
        format!(
            r#"{{"id":{},"status":{status},"error":{},"incomplete_details":{},"usage":{},"output":{output}}}"#,
            Value::from(id),
            last.error,
            raw(last.incomplete_details),
            raw(last.usage),
        )
    }

    fn streamed_output(&mut self) -> String {
        // Stable, so items with one index, or none, stay as they came.
        self.items.sort_by_key(|item| item.index.unwrap_or(u64::MAX));
        let items: Vec<String> = self.items.iter().filter_map(StreamedItem::as_json).collect();
        format!("[{}]", items.join(","))
    }
}

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Write {
    /// Behind what is there.
    More,
    /// In its place, unless it is empty.
    All,
}

impl Write {
    fn to(self, target: &mut String, text: &str) {
        match self {
            Self::More => target.push_str(text),
            Self::All if text.is_empty() => {}
            Self::All => text.clone_into(target),
        }
    }
}
