//! From what the model wrote to work that is ready to run: mend and check the arguments, read them into the tool's type.

use std::borrow::Cow;

use serde::Deserialize;

use crate::arguments::{self, Decoded, Effect, Limits};
use crate::call::{CallError, CallInput};
use crate::context::ToolContext;
use crate::error::ArgumentError;
use crate::panic::caught;
use crate::set::ToolSet;
use crate::spec::Input;
use crate::tool::{Activity, Work, WorkerAgentTool};

/// What the model wrote for a call; [`CallInput`] on loan.
#[derive(Clone, Copy)]
pub(super) enum InputText<'a> {
    Json(&'a str),
    Text(&'a str),
}

impl<'a> From<&'a CallInput> for InputText<'a> {
    fn from(input: &'a CallInput) -> Self {
        match input {
            CallInput::Json(text) => Self::Json(text),
            CallInput::Text(text) => Self::Text(text),
        }
    }
}

/// The work of a call whose arguments fit; nothing of it has run. Where a label is wanted, there is a place for it.
///
/// # Errors
///
/// When the tool's own type does not take the arguments.
#[inline]
pub(super) fn work(
    set: &ToolSet,
    tool: &WorkerAgentTool,
    arguments: &str,
    context: Option<&ToolContext>,
    label: Option<&mut Activity>,
) -> Result<Work, CallError> {
    // A deserializer of the author's may panic.
    match caught(|| tool.prepare(arguments, context, label, set)) {
        Ok(Ok(work)) => Ok(work),
        Ok(Err(error)) => Err(refused(tool, ArgumentError::from_serde(&error, arguments))),
        Err(panic) => Err(CallError::Panicked(panic)),
    }
}

#[cold]
fn refused(tool: &WorkerAgentTool, error: ArgumentError) -> CallError {
    CallError::Arguments { name: tool.spec().display_name().into_owned(), error }
}

/// Whether the arguments are those of a JSON tool and fit as they are: what [`decode`] gives back then is this text.
#[inline]
pub(super) fn fits(tool: &WorkerAgentTool, arguments: &str) -> bool {
    matches!(tool.spec().input, Input::Json) && arguments::fits(arguments, tool.definition().checks())
}

/// The arguments of a JSON tool, or the text of a free-text tool, however the provider lets the model write them.
///
/// # Errors
///
/// When the arguments do not fit.
#[inline]
pub(super) fn decode<'a>(
    tool: &WorkerAgentTool,
    input: InputText<'a>,
    limits: &Limits,
) -> Result<Decoded<'a>, CallError> {
    let decoded = match (&tool.spec().input, input) {
        (Input::Text(_), InputText::Text(text)) => {
            Ok(Decoded { text: Cow::Borrowed(text), repairs: Vec::new() })
        }
        (Input::Text(_), InputText::Json(text)) => decode_json(tool, text, limits).and_then(unwrapped),
        (Input::Json, InputText::Json(text) | InputText::Text(text)) => decode_json(tool, text, limits),
    };
    decoded.map_err(|error| refused(tool, error))
}

fn unwrapped(decoded: Decoded<'_>) -> Result<Decoded<'_>, ArgumentError> {
    let wrapped: TextInput = serde_json::from_str(&decoded.text)
        .map_err(|error| ArgumentError::from_serde(&error, &decoded.text))?;
    Ok(Decoded { text: Cow::Owned(wrapped.input), repairs: decoded.repairs })
}

/// The parameters of a free-text tool where a provider has none.
#[derive(Deserialize)]
struct TextInput {
    input: String,
}

#[inline]
fn decode_json<'a>(
    tool: &WorkerAgentTool,
    text: &'a str,
    limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    let definition = tool.definition();
    let effect = if tool.spec().read_only { Effect::ReadOnly } else { Effect::Writes };
    arguments::decode(text, definition.checks(), effect, limits)
}
