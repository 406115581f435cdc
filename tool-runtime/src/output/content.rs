//! The parts of an output.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

/// One part of what the model reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Plain text.
    Text(String),
    /// A picture, for models that can see.
    Image(Image),
    /// A file, for models that can read it.
    File(File),
}

/// Where the bytes of an image or a file are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Media {
    /// Here, as base64.
    Base64(String),
    /// At an address that the provider fetches.
    Url(String),
}

impl Media {
    fn from_bytes(bytes: &[u8]) -> Self {
        Self::Base64(BASE64_STANDARD.encode(bytes))
    }

    /// Bytes that go over the wire for it.
    pub(crate) fn wire_len(&self) -> usize {
        match self {
            Self::Base64(text) | Self::Url(text) => text.len(),
        }
    }

    /// The address, or the bytes as a data URL.
    #[must_use]
    pub fn to_url(&self, media_type: &str) -> String {
        match self {
            Self::Base64(data) => format!("data:{media_type};base64,{data}"),
            Self::Url(url) => url.clone(),
        }
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Image {
    /// For example `image/png`.
    pub media_type: String,
    /// The picture itself.
    pub media: Media,
}

impl Image {
    /// A picture from its encoded bytes (a PNG file, for example).
    pub fn from_bytes(media_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self { media_type: media_type.into(), media: Media::from_bytes(bytes) }
    }

    /// A picture that is base64 already.
    pub fn from_base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Self { media_type: media_type.into(), media: Media::Base64(data.into()) }
    }

    /// A picture that the provider fetches.
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self { media_type: media_type.into(), media: Media::Url(url.into()) }
    }
}

/// A file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct File {
    /// The name that the model sees.
    pub name: String,
    /// For example `application/pdf`.
    pub media_type: String,
    /// The file itself.
    pub media: Media,
}

impl File {
    /// A file from its bytes.
    pub fn from_bytes(name: impl Into<String>, media_type: impl Into<String>, bytes: &[u8]) -> Self {
        Self { name: name.into(), media_type: media_type.into(), media: Media::from_bytes(bytes) }
    }

    /// A file that is base64 already.
    pub fn from_base64(
        name: impl Into<String>,
        media_type: impl Into<String>,
        data: impl Into<String>,
    ) -> Self {
        Self { name: name.into(), media_type: media_type.into(), media: Media::Base64(data.into()) }
    }

    /// A file that the provider fetches.
    pub fn from_url(name: impl Into<String>, media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self { name: name.into(), media_type: media_type.into(), media: Media::Url(url.into()) }
    }
}

impl Content {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Image(_) | Self::File(_) => None,
        }
    }

    /// Bytes that go over the wire for it.
    #[cfg(feature = "mcp")]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Image(Image { media, .. }) | Self::File(File { media, .. }) => media.wire_len(),
        }
    }

    /// Whether it says nothing at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.as_text().is_some_and(str::is_empty)
    }

    /// As text: itself, or what it is in brackets.
    pub(crate) fn describe(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Image(image) => Cow::Owned(format!("[image, {}]", image.media_type)),
            Self::File(file) => Cow::Owned(format!("[file `{}`, {}]", file.name, file.media_type)),
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Image> for Content {
    fn from(image: Image) -> Self {
        Self::Image(image)
    }
}

impl From<File> for Content {
    fn from(file: File) -> Self {
        Self::File(file)
    }
}
