//! The Gemini format (`generateContent`), both ways.
//!
//! [`encode_request`] writes the body of a request, [`decode_response`] reads a response, [`StreamDecoder`] one that comes in
//! chunks. The model and whether it streams stand in the path of the request: [`Settings::path`]. What only this format knows
//! (thoughts, code that the provider runs, kinds of parts that are newer than this crate) is kept as
//! [`Native`](crate::Native) and goes back untouched, in its place; a signature goes back on exactly the part that it came with.
//!
//! # What the format cannot carry
//!
//! - **Namespaces.** A tool in one is listed as `namespace__name`; a table leads each such name back to its tool. The
//!   description of the namespace is left out.
//! - **Tool search.** Deferred tools are left out until they are loaded.
//! - **Programs.** Tools that only a program may call are left out; a call that a program asked for goes back as an ordinary
//!   one.
//! - **Free text for calls.** A free-text tool takes `{"input": string}`; its grammar stands in the description and is not
//!   enforced.
//! - **Strict for one tool.** It is a mode of the request: with one strict tool on offer, calls of all are held to what the
//!   provider knows of their parameters.
//! - **Many keywords of JSON Schema.** See [`Schemas`]; the call is checked against the author's schema all the same.
//! - **Output schemas.** They are left out.
//! - **Calls one at a time.** There is no such choice.
//! - **Ids that the provider did not give.** Such calls and their results are paired by order and name.
//! - **A memory.** [`ModelRequest::previous`](crate::ModelRequest::previous) is not looked at: every request holds the
//!   whole conversation.
//! - Arguments in pieces (`partialArgs`) and candidates beyond the first are not read.

mod contents;
mod decode;
mod request;
mod stream;
mod tools;

pub use super::body::EncodedRequest;
pub use contents::encode_contents;
pub use decode::decode_response;
pub use request::encode_request;
pub use stream::StreamDecoder;
pub use tools::encode_tools;

use serde_json::{Map, Value};

/// The name of the format in [`Native::format`](crate::Native).
pub const FORMAT: &str = "google.gemini";

/// In which form parameters are described. Keywords that a form lacks are told in descriptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Schemas {
    /// `parametersJsonSchema`: a part of JSON Schema, with references, closed objects and tuples.
    #[default]
    JsonSchema,
    /// `parameters`, which is like OpenAPI 3.0. For servers that know nothing else.
    OpenApi,
}

/// What all requests of a client have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The name of the model.
    pub model: String,
    /// In which form parameters are described.
    pub schemas: Schemas,
    /// Whether the response shall come as server-sent events, to be read by a [`StreamDecoder`].
    pub stream: bool,
    /// What is sent as the signature of a first call that has none, since another model or the host asked for it. Models from
    /// the third generation on refuse such a call; Google names `skip_thought_signature_validator` as the text that lets it
    /// through. `None` sends nothing.
    pub missing_signature: Option<String>,
    /// Tools that the provider runs itself, each as its entry in `tools`; they stand after ours.
    pub hosted: Vec<Value>,
    /// Fields of `generationConfig`: `temperature`, `thinkingConfig` …
    pub generation: Map<String, Value>,
    /// Other fields of the request, as they are: `safetySettings`, `cachedContent` …
    pub extra: Map<String, Value>,
}

impl Settings {
    /// A conversation with `model`.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            schemas: Schemas::JsonSchema,
            stream: false,
            missing_signature: None,
            hosted: Vec::new(),
            generation: Map::new(),
            extra: Map::new(),
        }
    }

    /// Where requests go, below the address of the API: `models/…:generateContent`, or its streamed form.
    #[must_use]
    pub fn path(&self) -> String {
        let method = if self.stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
        let is_whole = self.model.contains('/');
        format!("{}{}:{method}", if is_whole { "" } else { "models/" }, self.model)
    }

    /// Asks for server-sent events.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.stream = true;
        self
    }

    /// Describes parameters as in OpenAPI.
    #[must_use]
    pub fn open_api(mut self) -> Self {
        self.schemas = Schemas::OpenApi;
        self
    }

    /// Adds a tool that the provider runs itself.
    #[must_use]
    pub fn hosted(mut self, entry: Value) -> Self {
        self.hosted.push(entry);
        self
    }

    /// Adds a field to `generationConfig`.
    #[must_use]
    pub fn generation(mut self, name: impl Into<String>, value: Value) -> Self {
        self.generation.insert(name.into(), value);
        self
    }

    /// Adds a field to the request.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: Value) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}
