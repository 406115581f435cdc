//! What a client has to know of a format: one row at the end of this file for each. Nothing else of a client knows formats.

use crate::model::{Delta, ModelError, ModelRequest, ModelResponse};
use crate::provider::{EncodedRequest, anthropic, chat, gemini, responses};
use crate::set::ToolSet;

/// A format, with the settings of a client.
pub(super) trait Wire: Send + Sync {
    /// What is the same for all clients of the format.
    fn facts(&self) -> &'static Facts;

    /// The name of the model.
    fn model(&self) -> &str;

    /// Whether events are asked for.
    fn streams(&self) -> bool;

    /// Where requests go, behind the base address; with a query if there is one.
    fn path(&self) -> String;

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
    /// The header for the key, in lower case, and what stands in it before the key.
    pub(super) key: (&'static str, &'static str),
    /// What goes with every request; names in lower case.
    pub(super) headers: &'static [(&'static str, &'static str)],
}

/// Reads a response that comes in events.
pub(super) trait Decoder: Send {
    fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError>;

    fn is_finished(&self) -> bool;

    fn finish(self: Box<Self>) -> Result<ModelResponse, ModelError>;
}

macro_rules! wire {
    ($format:ident, $facts:expr, path: $path:expr, decode: $decode:expr, decoder: $decoder:ty, $new:expr $(,)?) => {
        impl Wire for $format::Settings {
            fn facts(&self) -> &'static Facts {
                &$facts
            }

            fn model(&self) -> &str {
                &self.model
            }

            fn streams(&self) -> bool {
                self.stream
            }

            fn path(&self) -> String {
                let path: fn(&$format::Settings) -> String = $path;
                path(self)
            }

            fn encode(&self, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
                $format::encode_request(self, request)
            }

            fn decode(&self, text: &str, set: &ToolSet) -> Result<ModelResponse, ModelError> {
                let decode: fn(&str, &ToolSet) -> Result<ModelResponse, ModelError> = $decode;
                decode(text, set)
            }

            fn decoder<'a>(&self, set: &'a ToolSet) -> Box<dyn Decoder + 'a> {
                let new: fn(&'a ToolSet) -> _ = $new;
                Box::new(new(set))
            }
        }

        impl Decoder for $decoder {
            fn event(&mut self, data: &str) -> Result<Option<Delta>, ModelError> {
                self.event(data)
            }

            fn is_finished(&self) -> bool {
                self.is_finished()
            }

            fn finish(self: Box<Self>) -> Result<ModelResponse, ModelError> {
                (*self).finish()
            }
        }
    };
}

wire!(
    responses,
    Facts {
        provider: "openai",
        operation: "chat",
        base_url: "https://api.openai.com/v1",
        key: ("authorization", "Bearer "),
        headers: &[],
    },
    path: |_| "responses".to_owned(),
    decode: |text, _| responses::decode_response(text),
    decoder: responses::StreamDecoder,
    |_| responses::StreamDecoder::new(),
);

wire!(
    chat,
    Facts {
        provider: "openai",
        operation: "chat",
        base_url: "https://api.openai.com/v1",
        key: ("authorization", "Bearer "),
        headers: &[],
    },
    path: |_| "chat/completions".to_owned(),
    decode: chat::decode_response,
    decoder: chat::StreamDecoder<'_>,
    chat::StreamDecoder::new,
);

wire!(
    anthropic,
    Facts {
        provider: "anthropic",
        operation: "chat",
        base_url: "https://api.anthropic.com/v1",
        key: ("x-api-key", ""),
        headers: &[("anthropic-version", "2023-06-01")],
    },
    path: |_| "messages".to_owned(),
    decode: anthropic::decode_response,
    decoder: anthropic::StreamDecoder<'_>,
    anthropic::StreamDecoder::new,
);

wire!(
    gemini,
    Facts {
        provider: "gcp.gemini",
        operation: "generate_content",
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        key: ("x-goog-api-key", ""),
        headers: &[],
    },
    path: gemini::Settings::path,
    decode: gemini::decode_response,
    decoder: gemini::StreamDecoder<'_>,
    gemini::StreamDecoder::new,
);
