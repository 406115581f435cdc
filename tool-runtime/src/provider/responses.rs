//! The OpenAI Responses format, both ways.
//!
//! [`encode_request`] writes the body of a request, [`decode_response`] reads a response object,
//! [`StreamDecoder`] one that comes in events. What only this format
//! knows (reasoning, programs, tool searches, item types that are newer than this crate) is kept as
//! [`Native`](crate::Native) and goes back untouched, in its place.
//!
//! A union at the root of the parameters, which the provider refuses with the whole request, becomes one object with the
//! properties of all branches; the call is checked against the union all the same.

mod decode;
mod input;
mod request;
mod search;
mod stream;
mod tools;

pub use super::body::EncodedRequest;
pub use decode::decode_response;
pub use input::encode_input;
pub use request::encode_request;
pub use stream::StreamDecoder;
pub use tools::encode_tools;

use serde_json::{Map, Value};

/// The name of the format in [`Native::format`](crate::Native).
pub const FORMAT: &str = "openai.responses";

/// Who keeps the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum History {
    /// We do: every request holds all of it, and the provider is asked to store nothing.
    #[default]
    Stateless,
    /// The provider does: a request holds what came after [`ModelRequest::previous`](crate::ModelRequest::previous).
    Stored,
}

/// What all requests of a client have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The name of the model.
    pub model: String,
    /// Who keeps the conversation.
    pub history: History,
    /// What the response shall hold beyond the usual. A stateless conversation with a reasoning model needs
    /// `reasoning.encrypted_content`, which is the default; models that do not reason may refuse it.
    pub include: Vec<String>,
    /// Whether the model may ask for several calls at once; `None` leaves it to the provider, which says yes.
    pub parallel_tool_calls: Option<bool>,
    /// Whether the response shall come as server-sent events, to be read by a [`StreamDecoder`].
    pub stream: bool,
    /// Whether a search of ours is a tool search of this format: what is found then stands in the conversation, and the
    /// list of tools stays as it is. For models that know tool search; with others `tool_search` is a function.
    pub client_search: bool,
    /// Tools that the provider runs itself, each as its entry in `tools`; they stand after ours.
    pub hosted: Vec<Value>,
    /// Other fields of the request, as they are: `reasoning`, `temperature`, `metadata` …
    pub extra: Map<String, Value>,
}

impl Settings {
    /// A stateless conversation with `model`.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            history: History::Stateless,
            include: vec!["reasoning.encrypted_content".to_owned()],
            parallel_tool_calls: None,
            stream: false,
            client_search: false,
            hosted: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Leaves the conversation to the provider.
    #[must_use]
    pub fn stored(mut self) -> Self {
        self.history = History::Stored;
        self.include.clear();
        self
    }

    /// Asks for server-sent events.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.stream = true;
        self
    }

    /// Makes a search of ours a tool search of this format.
    #[must_use]
    pub fn client_search(mut self) -> Self {
        self.client_search = true;
        self
    }

    /// Adds a tool that the provider runs itself.
    #[must_use]
    pub fn hosted(mut self, entry: Value) -> Self {
        self.hosted.push(entry);
        self
    }

    /// Adds a field to the request.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: Value) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}
