//! The formats in which providers are asked and answer, as plain JSON. Nothing here sends anything.

pub mod anthropic;
mod body;
mod budget;
mod call_ids;
pub mod chat;
pub(crate) mod failure;
mod flat;
pub mod gemini;
mod parameters;
mod recording;
mod replay;
pub mod responses;
mod rounds;
pub mod sse;

pub use body::EncodedRequest;
pub use budget::MAX_STREAMED;
#[cfg(feature = "mcp")]
pub(crate) use flat::{described, named_call};
pub use recording::{MAX_RECORDING, RecordedModel, RecordingError};
