//! What stands in a conversation, in order.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::{CallInput, Caller, ToolCall, ToolResult};
use crate::output::Content;
use crate::tool::WorkerAgentTool;

/// One entry of a conversation. Plain data; the same for all providers, and can be stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Item {
    /// What the user said, or the host on its own behalf.
    User(Vec<Content>),
    /// What the model said.
    Assistant(AssistantItem),
    /// A call that the model asked for.
    Call(CallItem),
    /// Our answer to a call.
    Result(ResultItem),
    /// The provider's tool search put tools before the model.
    Loaded(LoadedItem),
    /// Something between the provider and its model: reasoning, a program, a search. Goes back in its place, untouched.
    Opaque(Native),
}

impl Item {
    /// A text of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(vec![Content::Text(text.into())])
    }

    /// A text of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant(AssistantItem { text: text.into(), native: None })
    }

    /// A call.
    pub fn call(call: impl Into<Arc<ToolCall>>) -> Self {
        Self::Call(CallItem::new(call, None))
    }

    /// The answer to a call.
    #[must_use]
    pub fn result(result: &ToolResult) -> Self {
        Self::Result(ResultItem::of(result))
    }

    /// The call, if it is one.
    #[must_use]
    pub fn as_call(&self) -> Option<&ToolCall> {
        self.shared_call().map(|call| &**call)
    }

    pub(crate) fn shared_call(&self) -> Option<&Arc<ToolCall>> {
        match self {
            Self::Call(item) => Some(&item.call),
            _ => None,
        }
    }
}

/// What only one format understands. It goes back in that format as it came, and is left out of every other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Native {
    /// The format, for example [`responses::FORMAT`](crate::provider::responses::FORMAT).
    pub format: Cow<'static, str>,
    /// The thing itself.
    pub value: Value,
}

impl Native {
    /// A value of a format.
    pub fn new(format: impl Into<Cow<'static, str>>, value: Value) -> Self {
        Self { format: format.into(), value }
    }

    /// The value, if it belongs to `format`.
    #[must_use]
    pub fn of_format(&self, format: &str) -> Option<&Value> {
        (self.format == format).then_some(&self.value)
    }
}

/// A text of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AssistantItem {
    /// The text; a refusal too.
    pub text: String,
    /// The message as the provider wrote it.
    pub native: Option<Native>,
}

impl AssistantItem {
    /// A text, with the message that it was taken from.
    pub fn new(text: impl Into<String>, native: Option<Native>) -> Self {
        Self { text: text.into(), native }
    }
}

/// A call that the model asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallItem {
    /// The call, which its result shares as long as nothing in it was repaired. Its input may be broken: encoders send
    /// something legal in its place.
    pub call: Arc<ToolCall>,
    /// What else the provider wrote with it and wants back: item ids, signatures.
    pub native: Option<Native>,
}

impl CallItem {
    /// A call, with what else came with it.
    pub fn new(call: impl Into<Arc<ToolCall>>, native: Option<Native>) -> Self {
        Self { call: call.into(), native }
    }

    /// Takes over what answering the call has settled: the id that the result carries, and the clean arguments in place of
    /// the text that had to be repaired.
    pub fn settle(&mut self, result: &ToolResult) {
        if self.call.id != result.call.id {
            Arc::make_mut(&mut self.call).id.clone_from(&result.call.id);
        }
        if let Some(arguments) = &result.arguments {
            self.mend(arguments);
        }
    }

    /// Puts the arguments that the tool got in the place of those that the model wrote.
    pub(crate) fn mend(&mut self, arguments: &str) {
        let ToolCall { id, namespace, name, input: CallInput::Json(_), caller } = &*self.call else { return };
        // Not a copy of what is replaced, which may be long.
        self.call = Arc::new(ToolCall {
            id: id.clone(),
            namespace: namespace.clone(),
            name: name.clone(),
            input: CallInput::Json(arguments.to_owned()),
            caller: caller.clone(),
        });
    }
}

/// Our answer to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResultItem {
    /// The id of the call.
    pub call_id: String,
    /// The tool, as the call named it.
    pub tool: ToolName,
    /// Whether the call was written as free text.
    pub is_text_call: bool,
    /// Who asked.
    pub caller: Caller,
    /// What the model reads.
    pub content: Vec<Content>,
    /// Whether the call failed.
    pub is_error: bool,
    /// The deferred tools that a search of ours put before the model with it. They stay there for as long as this item is
    /// sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loaded: Vec<ToolName>,
}

impl ResultItem {
    /// An answer to `call`.
    #[must_use]
    pub fn new(call: &ToolCall, content: Vec<Content>, is_error: bool) -> Self {
        Self {
            call_id: call.id.clone(),
            tool: ToolName { namespace: call.namespace.clone(), name: call.name.clone() },
            is_text_call: matches!(call.input, CallInput::Text(_)),
            caller: call.caller.clone(),
            content,
            is_error,
            loaded: Vec::new(),
        }
    }

    /// The answer that a result is.
    #[must_use]
    pub fn of(result: &ToolResult) -> Self {
        let loads = result.outcome.as_ref().map(|output| &*output.loads).unwrap_or_default();
        let loaded = loads
            .iter()
            .map(|(namespace, name)| ToolName { namespace: namespace.clone(), name: name.clone() });
        Self { loaded: loaded.collect(), ..Self::new(&result.call, result.for_model(), result.is_error()) }
    }
}

/// Tools that the provider's tool search put before the model. They stay there for as long as this item is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LoadedItem {
    /// The tools, as the provider names them.
    pub tools: Vec<ToolName>,
    /// The search's result as the provider wrote it.
    pub native: Native,
}

impl LoadedItem {
    /// Loaded tools, with the item that says so.
    #[must_use]
    pub fn new(tools: Vec<ToolName>, native: Native) -> Self {
        Self { tools, native }
    }
}

/// The identity of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolName {
    /// The namespace, if it is in one.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
}

impl ToolName {
    /// A tool in no namespace.
    pub fn bare(name: impl Into<String>) -> Self {
        Self { namespace: None, name: name.into() }
    }

    /// A tool in a namespace.
    pub fn namespaced(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { namespace: Some(namespace.into()), name: name.into() }
    }

    /// `namespace.name`, or the bare name.
    #[must_use]
    pub fn display_name(&self) -> String {
        match &self.namespace {
            Some(namespace) => format!("{namespace}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether it is the identity of `tool`.
    pub(crate) fn is_of(&self, tool: &WorkerAgentTool) -> bool {
        let spec = tool.spec();
        self.name == spec.name
            && self.namespace.as_deref() == spec.namespace.as_ref().map(|namespace| &*namespace.name)
    }
}
