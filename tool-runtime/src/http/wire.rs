//! What a client has to know of a format. One file for each; nothing else of a client knows formats.

mod chat;
mod responses;

use crate::model::{Delta, ModelError, ModelRequest, ModelResponse};
use crate::provider::EncodedRequest;
use crate::set::ToolSet;

/// A format, with the settings of a client.
pub(super) trait Wire: Send + Sync {
    /// What is the same for all clients of the format.
    fn facts(&self) -> &'static Facts;

    /// The name of the model.
    fn model(&self) -> &str;

    /// Whether events are asked for.
    fn streams(&self) -> bool;

    /// The path of requests behind the base address, and a pair of its query.
    fn path(&self) -> (String, Option<(&'static str, &'static str)>);

    fn encode(&self, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError>;

    fn decode(&self, text: &str, set: &ToolSet) -> Result<ModelResponse, ModelError>;

    fn decoder<'a>(&self, set: &'a ToolSet) -> Box<dyn Decoder + 'a>;
}

/// What is the same for all clients of a format.
pub(super) struct Facts {
    /// The provider, as traces name it.
    pub(super) provider: &'static str,
    /// What it does for a request, as traces name it.
    pub(super) operation: &'static str,
    /// The address of the provider's own API.
    pub(super) base_url: &'static str,
    pub(super) key: KeyHeader,
    /// What goes with every request.
    pub(super) headers: &'static [(&'static str, &'static str)],
}

/// Where a key goes. Names are in lower case.
pub(super) enum KeyHeader {
    /// `authorization: Bearer KEY`
    Bearer,
    /// `NAME: KEY`
    #[allow(dead_code, reason = "for the formats of Anthropic and Gemini, which are not here yet")]
    Plain(&'static str),
}

/// Reads a response that comes in events.
pub(super) trait Decoder: Send {
    fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError>;

    fn is_finished(&self) -> bool;

    fn finish(self: Box<Self>) -> Result<ModelResponse, ModelError>;
}
