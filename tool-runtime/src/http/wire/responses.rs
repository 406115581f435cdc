//! The Responses format.

use crate::model::{Delta, ModelError, ModelRequest, ModelResponse};
use crate::provider::EncodedRequest;
use crate::provider::responses::{Settings, StreamDecoder, decode_response, encode_request};
use crate::set::ToolSet;

use super::{Decoder, Facts, KeyHeader, Wire};

impl Wire for Settings {
    fn facts(&self) -> &'static Facts {
        &Facts {
            provider: "openai",
            operation: "chat",
            base_url: "https://api.openai.com/v1",
            key: KeyHeader::Bearer,
            headers: &[],
        }
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn streams(&self) -> bool {
        self.stream
    }

    fn path(&self) -> (String, Option<(&'static str, &'static str)>) {
        ("responses".to_owned(), None)
    }

    fn encode(&self, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
        encode_request(self, request)
    }

    fn decode(&self, text: &str, _: &ToolSet) -> Result<ModelResponse, ModelError> {
        decode_response(text)
    }

    fn decoder<'a>(&self, _: &'a ToolSet) -> Box<dyn Decoder + 'a> {
        Box::new(StreamDecoder::new())
    }
}

impl Decoder for StreamDecoder {
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
