//! From what the model wrote to work that is ready to run: mend and check the arguments, read them into the tool's type.

use std::borrow::Cow;

use serde::Deserialize;

use crate::arguments::{self, Decoded, Effect, Limits};
use crate::call::{CallError, CallInput, Repair};
use crate::context::ToolContext;
use crate::error::ArgumentError;
use crate::panic::caught;
use crate::set::ToolSet;
use crate::spec::Input;
use crate::tool::{LabelsWanted, PreparedCall, WorkerAgentTool};

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

/// A call whose tool and arguments are known to be good.
pub(super) struct Ready {
    pub(super) tool: WorkerAgentTool,
    pub(super) prepared: PreparedCall,
    pub(super) repairs: Vec<Repair>,
    /// The arguments that the tool gets, where they differ from what the model wrote.
    pub(super) mended: Option<String>,
}

/// # Errors
///
/// When the arguments do not fit.
pub(super) fn prepare(
    set: &ToolSet,
    tool: &WorkerAgentTool,
    input: InputText<'_>,
    context: ToolContext,
    labels: LabelsWanted,
    limits: &Limits,
) -> Result<Ready, CallError> {
    let decoded = decode(tool, input, limits).map_err(|error| refused(tool, error))?;
    // A deserializer of the author's may panic.
    let prepared = caught(|| tool.prepare(&decoded.text, context, labels, set))
        .map_err(CallError::Panicked)?
        .map_err(|error| refused(tool, ArgumentError::from_serde(&error, &decoded.text)))?;
    let mended = match decoded.text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    Ok(Ready { tool: tool.clone(), prepared, repairs: decoded.repairs, mended })
}

fn refused(tool: &WorkerAgentTool, error: ArgumentError) -> CallError {
    CallError::Arguments { name: tool.spec().display_name().into_owned(), error }
}

/// The arguments of a JSON tool, or the text of a free-text tool, however the provider lets the model write them.
fn decode<'a>(
    tool: &WorkerAgentTool,
    input: InputText<'a>,
    limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    match (&tool.spec().input, input) {
        (Input::Text(_), InputText::Text(text)) => {
            Ok(Decoded { text: Cow::Borrowed(text), repairs: Vec::new() })
        }
        (Input::Text(_), InputText::Json(text)) => {
            let decoded = decode_json(tool, text, limits)?;
            let wrapped: TextInput = serde_json::from_str(&decoded.text)
                .map_err(|error| ArgumentError::from_serde(&error, &decoded.text))?;
            Ok(Decoded { text: Cow::Owned(wrapped.input), repairs: decoded.repairs })
        }
        (Input::Json, InputText::Json(text) | InputText::Text(text)) => decode_json(tool, text, limits),
    }
}

/// The parameters of a free-text tool where a provider has none.
#[derive(Deserialize)]
struct TextInput {
    input: String,
}

fn decode_json<'a>(
    tool: &WorkerAgentTool,
    text: &'a str,
    limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    let definition = tool.definition();
    let effect = if tool.spec().read_only { Effect::ReadOnly } else { Effect::Writes };
    arguments::decode(text, definition.checks(), effect, limits)
}
