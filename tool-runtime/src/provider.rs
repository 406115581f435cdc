//! The formats in which providers are asked and answer, as plain JSON. Nothing here sends anything.

mod recording;
pub mod responses;

pub use recording::{MAX_RECORDING, RecordedModel, RecordingError};
