//! The Anthropic Messages format, both ways.
//!
//! [`encode_request`] writes the body of a request, [`decode_response`] reads a message, [`StreamDecoder`] one that comes in
//! events. What only this format knows (thinking, searches, code that the provider runs, block types that are newer than this
//! crate) is kept as [`Native`](crate::Native) and goes back untouched, in its place.
//!
//! # What the format cannot carry
//!
//! - **Namespaces.** A tool in one is listed as `namespace__name`; a table leads each such name back to its tool. The
//!   description of the namespace is left out.
//! - **Free text for calls.** A free-text tool takes `{"input": string}`; its grammar stands in the description and is not
//!   enforced.
//! - **Output schemas.** They are left out.
//! - **A union at the root of the parameters.** It becomes one object with the properties of all branches; the call is checked
//!   against the union all the same.
//! - **Strict beyond the room of a request**, strict for tools that programs may call, and schemas that contain themselves:
//!   these tools are sent without, and named in [`EncodedRequest::strict_dropped`]. See [`MAX_STRICT_TOOLS`].
//! - **Some tools of a longer list.** There is no choice among listed tools but one of them or all: a request that
//!   [offers](crate::ModelRequest::offer) some only lists just these. One that offers none lists all and forbids calls.
//! - **Words of the user while a program waits for a result.** They follow as soon as the program is done; see
//!   [`encode_messages`].
//! - **A memory.** [`ModelRequest::previous`](crate::ModelRequest::previous) is not looked at: every request holds the
//!   whole conversation.
//! - **Files other than PDF and plain text**, and pictures other than JPEG, PNG, GIF and WebP. They are named in the text.
//! - **A count of reasoning tokens.** The provider counts them among those written.

mod content;
mod decode;
mod messages;
mod request;
mod stream;
mod tools;

pub use super::body::EncodedRequest;
pub use decode::decode_response;
pub use messages::encode_messages;
pub use request::encode_request;
pub use stream::StreamDecoder;
pub use tools::{MAX_STRICT_OPTIONAL, MAX_STRICT_TOOLS, MAX_STRICT_UNIONS, encode_tools};

use serde_json::{Map, Value};

/// The name of the format in [`Native::format`](crate::Native).
pub const FORMAT: &str = "anthropic.messages";

/// The version of the code execution whose programs may call tools.
pub const CODE_EXECUTION: &str = "code_execution_20260120";

/// The default of [`Settings::max_tokens`].
pub const DEFAULT_MAX_TOKENS: u32 = 8_192;

/// How the provider looks for deferred tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolSearch {
    /// By words.
    #[default]
    Bm25,
    /// By a regular expression that the model writes.
    Regex,
}

/// What all requests of a client have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The name of the model.
    pub model: String,
    /// The most tokens that the model may write where a request does not say; the format wants a number.
    pub max_tokens: u32,
    /// Whether the model may ask for several calls at once; `None` leaves it to the provider, which says yes.
    pub parallel_tool_calls: Option<bool>,
    /// Whether the response shall come as server-sent events, to be read by a [`StreamDecoder`].
    pub stream: bool,
    /// How deferred tools are looked for.
    pub tool_search: ToolSearch,
    /// Tools that the provider runs itself, each as its entry in `tools`; they stand after ours.
    pub hosted: Vec<Value>,
    /// Other fields of the request, as they are: `thinking`, `temperature`, `metadata`, `cache_control` …
    pub extra: Map<String, Value>,
}

impl Settings {
    /// A conversation with `model`.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            max_tokens: DEFAULT_MAX_TOKENS,
            parallel_tool_calls: None,
            stream: false,
            tool_search: ToolSearch::Bm25,
            hosted: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Asks for server-sent events.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.stream = true;
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
