//! The conversation of a job as steps that may be shown: redacted, cut, without ids.

use serde_json::{Value, json};
use tool_runtime::{ResultItem, ToolCall};

use super::job::JobUsage;
use super::progress::Progress;
use super::redact::redact;

/// The longest text of a step, in bytes.
const MAX_TEXT: usize = 4_000;
/// The longest arguments, or result, of a call, in bytes.
const MAX_PART: usize = 1_500;

/// A step, at its place in the conversation.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) seq: i64,
    pub(crate) body: Value,
}

/// What a worker writes down of a turn.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) turn: i64,
    /// New and changed steps, in order.
    pub(crate) steps: Vec<Step>,
    pub(crate) progress: Progress,
    pub(crate) usage: JobUsage,
    /// The messages that the turn has read.
    pub(crate) read: Vec<i64>,
}

/// Something that was said.
pub(crate) fn said(kind: &str, message: Option<i64>, text: &str) -> Value {
    let mut body = json!({ "kind": kind });
    if let Some(message) = message {
        body["message"] = message.into();
    }
    put(&mut body, "text", text, MAX_TEXT);
    body
}

/// A call, with its result if there is one.
pub(crate) fn called(call: &ToolCall, result: Option<&ResultItem>) -> Value {
    let mut body = json!({ "kind": "call", "tool": call.display_name() });
    put(&mut body, "arguments", call.input.as_str(), MAX_PART);
    if let Some(result) = result {
        body["failed"] = result.is_error.into();
        let text: String = result.content.iter().map(|part| part.as_text().unwrap_or("[no text]")).collect();
        put(&mut body, "result", &text, MAX_PART);
    }
    body
}

/// Puts a text into a step, with flags for what it lacks.
fn put(body: &mut Value, key: &str, text: &str, max: usize) {
    // What is cut away need not be searched, with room for a secret that the cut would halve.
    let near = text.floor_char_boundary(max.saturating_mul(2));
    let (mut shown, is_redacted) = redact(text.get(..near).unwrap_or_default());
    let is_cut = cut(&mut shown, max) || near < text.len();
    body[key] = shown.into();
    if is_redacted {
        body["redacted"] = true.into();
    }
    if is_cut {
        body["truncated"] = true.into();
    }
}

/// Cuts a text at a character boundary; whether it was longer.
pub(crate) fn cut(text: &mut String, max: usize) -> bool {
    let end = text.floor_char_boundary(max);
    let is_cut = end < text.len();
    text.truncate(end);
    is_cut
}
