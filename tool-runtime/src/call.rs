//! Calls as the model asks them, results as we answer them.

mod error;

pub use error::{CallError, Interrupted};

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::output::{CallOutput, Content};

/// What the model wrote for a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallInput {
    /// Arguments as JSON text, exactly as it came.
    Json(String),
    /// The free text of a custom tool.
    Text(String),
}

impl CallInput {
    /// The text as it came.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Json(text) | Self::Text(text) => text,
        }
    }
}

/// Who asks for a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Caller {
    /// The model itself.
    #[default]
    Direct,
    /// A program that the model wrote and the provider runs; the id goes back with the result.
    Program {
        /// The program's own call id.
        caller_id: String,
    },
}

/// One call that the model asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The id that ties the result to the call. May be empty or given twice when it comes from a provider;
    /// [`unique_ids`](crate::unique_ids) mends that.
    pub id: String,
    /// The namespace as the model wrote it.
    pub namespace: Option<String>,
    /// The name as the model wrote it.
    pub name: String,
    /// What the model wrote for it.
    pub input: CallInput,
    /// Who asks.
    pub caller: Caller,
}

impl ToolCall {
    /// A direct call with arguments as JSON text.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            namespace: None,
            name: name.into(),
            input: CallInput::Json(arguments.into()),
            caller: Caller::Direct,
        }
    }

    /// A direct call with free text.
    pub fn with_text(id: impl Into<String>, name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { input: CallInput::Text(text.into()), ..Self::new(id, name, "") }
    }

    /// The same call, in a namespace.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// The same call, asked by a program.
    #[must_use]
    pub fn by(mut self, caller: Caller) -> Self {
        self.caller = caller;
        self
    }

    /// `namespace.name` or the bare name, as the model wrote them.
    #[must_use]
    pub fn display_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A call in a set of calls with different ids, where it is found by its id.
#[derive(Debug)]
pub(crate) struct ById(pub(crate) Arc<ToolCall>);

impl Borrow<str> for ById {
    fn borrow(&self) -> &str {
        &self.0.id
    }
}

impl Hash for ById {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl PartialEq for ById {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for ById {}

/// One repair of an arguments text: a rung of the ladder, or a coercion at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The rung or coercion, for example `trailing_comma` or `number_from_text`.
    pub name: &'static str,
    /// JSON pointer to the value it changed, shortened if it is very long; empty for the whole text.
    pub path: String,
}

impl Repair {
    pub(crate) fn new(name: &'static str, path: impl Into<String>) -> Self {
        Self { name, path: path.into() }
    }
}

/// Our answer to one call.
#[derive(Debug)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call that is answered, under the id that the result carries. Shared, since its texts may be long and the
    /// conversation has it too.
    pub call: Arc<ToolCall>,
    /// What came of it.
    pub outcome: Result<CallOutput, CallError>,
    /// What had to be repaired in its arguments.
    pub repairs: Vec<Repair>,
    /// The arguments that the tool got, where they are not as the model wrote them: clean JSON that fits (for a custom tool its
    /// text).
    pub arguments: Option<String>,
    /// How long the tool ran; zero if it did not start.
    pub elapsed: Duration,
}

impl ToolResult {
    pub(crate) fn refused(call: Arc<ToolCall>, error: CallError) -> Self {
        Self { call, outcome: Err(error), repairs: Vec::new(), arguments: None, elapsed: Duration::ZERO }
    }

    /// Whether the model is told of a failure.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.outcome.is_err()
    }

    /// Whether the turn is over with this result.
    #[must_use]
    pub fn ends_turn(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|output| output.ends_turn)
    }

    /// What the model reads. A failure starts with `error: `, since some providers have no flag for it.
    #[must_use]
    pub fn for_model(&self) -> Vec<Content> {
        match &self.outcome {
            Ok(output) => output.for_model(),
            Err(error) => vec![Content::Text(format!("error: {error}"))],
        }
    }

    /// [`for_model`](Self::for_model) as text only; a part that is no text is named in brackets.
    #[must_use]
    pub fn model_text(&self) -> String {
        self.for_model().iter().map(Content::describe).collect()
    }
}
