//! Server-sent events: bytes in any portions, events out.
//!
//! ```
//! use tool_runtime::provider::sse::{Parser, SseEvent};
//!
//! let mut parser = Parser::new();
//! assert_eq!(parser.push(b"data: {\"a\":")?, []);
//! assert_eq!(parser.push(b"1}\r\n\r\ndata: [DONE]\n\n")?, [SseEvent::data(r#"{"a":1}"#), SseEvent::data("[DONE]")]);
//! assert_eq!(parser.finish()?, None);
//! # Ok::<(), tool_runtime::ModelError>(())
//! ```

use crate::model::ModelError;

/// The default of [`Limits::line`] and [`Limits::event`], in bytes.
pub const DEFAULT_LIMIT: usize = 32 * 1024 * 1024;

/// The data of the event by which OpenAI's formats end a stream.
const DONE: &str = "[DONE]";

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SseEvent {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its data, lines joined by `\n`.
    pub data: String,
}

impl SseEvent {
    /// An event without a name.
    pub fn data(data: impl Into<String>) -> Self {
        Self { name: None, data: data.into() }
    }

    /// Whether it says that the stream is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        is_done(&self.data)
    }
}

/// Whether the data of an event says that the stream is over.
pub(super) fn is_done(data: &str) -> bool {
    data.trim() == DONE
}

/// How much a stream may make the parser keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The longest line, in bytes.
    pub line: usize,
    /// The longest data of one event, in bytes.
    pub event: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: DEFAULT_LIMIT, event: DEFAULT_LIMIT }
    }
}

/// Takes a stream of bytes apart into events. Lines end in `\n`, `\r\n` or `\r`; comments, unknown fields and a byte order
/// mark at the beginning are skipped.
#[derive(Debug, Default)]
pub struct Parser {
    limits: Limits,
    /// The line that is not finished yet.
    line: Vec<u8>,
    /// How many lines were finished.
    lines: u64,
    /// Whether the last byte was `\r`, so that a `\n` behind it ends no line of its own.
    after_return: bool,
    event: SseEvent,
    /// Whether the event has a line of data, be it an empty one.
    has_data: bool,
}

impl Parser {
    /// A parser at the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser with other limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes the next bytes and gives the events that they complete.
    ///
    /// # Errors
    ///
    /// When a line is no UTF-8, or a line or an event is longer than allowed. The stream cannot be read any further then.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, ModelError> {
        let mut events = Vec::new();
        let mut rest = bytes;
        if self.after_return && !rest.is_empty() {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            self.after_return = false;
        }
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, behind) = rest.split_at(end);
            self.keep(line)?;
            events.extend(self.end_line()?);
            rest = match behind {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_return = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
        }
        self.keep(rest)?;
        Ok(events)
    }

    /// Ends the stream. An event whose lines are all there, but not the empty one behind them, is given; half a line is
    /// dropped, unless it says that the stream is over.
    ///
    /// # Errors
    ///
    /// When the last line is no UTF-8.
    pub fn finish(mut self) -> Result<Option<SseEvent>, ModelError> {
        if self.line.is_empty() {
            return Ok(self.end_event());
        }
        let whole = std::mem::take(&mut self.line);
        let (_, value) = field(self.read_line(&whole)?);
        Ok((value == DONE).then(|| SseEvent::data(DONE)))
    }

    fn keep(&mut self, part: &[u8]) -> Result<(), ModelError> {
        if self.line.len().saturating_add(part.len()) > self.limits.line {
            return Err(ModelError::response(format!(
                "line {} of the event stream is longer than {} bytes",
                self.lines.saturating_add(1),
                self.limits.line
            )));
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn end_line(&mut self) -> Result<Option<SseEvent>, ModelError> {
        let mut line = std::mem::take(&mut self.line);
        let text = self.read_line(&line)?;
        let event = if text.is_empty() {
            self.end_event()
        } else {
            let (name, value) = field(text);
            self.take_field(name, value)?;
            None
        };
        self.lines = self.lines.saturating_add(1);
        line.clear();
        self.line = line;
        Ok(event)
    }

    /// The line as text, without the byte order mark that the first one may have.
    fn read_line<'a>(&self, line: &'a [u8]) -> Result<&'a str, ModelError> {
        let text = std::str::from_utf8(line).map_err(|error| {
            let (number, at) = (self.lines.saturating_add(1), error.valid_up_to());
            ModelError::response(format!("line {number} of the event stream is no UTF-8 behind byte {at}"))
        })?;
        Ok(if self.lines == 0 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text })
    }

    fn take_field(&mut self, name: &str, value: &str) -> Result<(), ModelError> {
        match name {
            "data" => {
                let so_far = self.event.data.len() + usize::from(self.has_data);
                if so_far.saturating_add(value.len()) > self.limits.event {
                    return Err(ModelError::response(format!(
                        "an event of the stream is longer than {} bytes",
                        self.limits.event
                    )));
                }
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
                self.has_data = true;
            }
            "event" => self.event.name = Some(value.to_owned()).filter(|name| !name.is_empty()),
            // `id` and `retry` are for streams that can be resumed, which these are not.
            _ => {}
        }
        Ok(())
    }

    /// The event, if it has data; without, there is none.
    fn end_event(&mut self) -> Option<SseEvent> {
        let event = std::mem::take(&mut self.event);
        std::mem::take(&mut self.has_data).then_some(event)
    }
}

/// The name and the value of a line's field. A comment has an empty name.
fn field(line: &str) -> (&str, &str) {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    (name, value.strip_prefix(' ').unwrap_or(value))
}
