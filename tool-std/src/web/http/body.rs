//! The bytes of an answer.

use reqwest::Response;

use super::super::fetch::{FetchError, FetchErrorKind};
use super::super::shown;
use super::failure;

/// All of it, unpacked.
///
/// # Errors
///
/// When it has more than `most` bytes, or breaks off.
pub(super) async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, FetchError> {
    // What is packed is not told by its length.
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(too_large(most));
    }
    let mut bytes = Vec::new();
    loop {
        let more = response.chunk().await.map_err(|error| failure::broken(error, bytes.len()))?;
        let Some(more) = more else { return Ok(bytes) };
        if bytes.len() + more.len() > most {
            return Err(too_large(most));
        }
        bytes.extend_from_slice(&more);
    }
}

fn too_large(most: usize) -> FetchError {
    let most = shown::number(most as u64);
    FetchError::new(FetchErrorKind::Limit, format!("it is larger than {most} bytes and was not read"))
}
