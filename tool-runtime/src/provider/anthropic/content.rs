//! Texts, pictures and files as blocks.

use serde_json::{Value, json};

use crate::output::{Content, Media};
use crate::provider::replay::{MAX_TEXT, cut};

/// The pictures that the provider takes.
const PICTURES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// A block; `None` for an empty text, which the provider refuses.
pub(super) fn block(content: &Content) -> Option<Value> {
    let source = |media: &Media, media_type: &str| match media {
        Media::Base64(data) => json!({ "type": "base64", "media_type": media_type, "data": data }),
        Media::Url(url) => json!({ "type": "url", "url": url }),
    };
    match content {
        Content::Text(text) => self::text(text.clone()),
        Content::Image(image) if PICTURES.contains(&&*image.media_type) => {
            Some(json!({ "type": "image", "source": source(&image.media, &image.media_type) }))
        }
        Content::File(file) if file.media_type == "application/pdf" => Some(json!({
            "type": "document",
            "source": source(&file.media, &file.media_type),
            "title": file.name,
        })),
        Content::Image(image) => text(in_words(content, &image.media)),
        Content::File(file) => text(in_words(content, &file.media)),
    }
}

/// A text block.
pub(super) fn text(text: String) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": cut(text, MAX_TEXT) }))
}

/// What and where it is.
fn in_words(content: &Content, media: &Media) -> String {
    let description = content.describe();
    match media {
        Media::Base64(_) => description.into_owned(),
        Media::Url(url) => format!("{} at {url}]", description.trim_end_matches(']')),
    }
}
