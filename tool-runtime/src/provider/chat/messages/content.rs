//! Texts, pictures and files in messages.

use serde_json::{Value, json};

use crate::model::ResultItem;
use crate::output::{Content, Media};
use crate::provider::chat::settings::Abilities;
use crate::provider::replay::{MAX_TEXT, cut, tell_failure};

use super::rounds::Round;

/// What a call without a result is answered with, since the provider refuses a conversation with an open call.
const NO_RESULT: &str =
    "error: there is no result of this call: it may have run or not, and whatever it gave was lost";

/// Texts alone are one string; with pictures or files among them, each is a part.
pub(super) fn parts(abilities: &Abilities, content: &[Content]) -> Value {
    if content.iter().all(|part| as_media(abilities, part).is_none()) {
        return plain(content).into();
    }
    let parts = content.iter().filter(|part| !part.is_empty());
    parts.map(|part| as_media(abilities, part).unwrap_or_else(|| text_part(&in_words(part)))).collect()
}

/// The text of a result. It names the pictures and files that follow.
pub(super) fn result_text(abilities: &Abilities, result: Option<&ResultItem>) -> String {
    let Some(result) = result else { return NO_RESULT.to_owned() };
    let part = |part: &Content| match as_media(abilities, part) {
        None => in_words(part),
        Some(_) => {
            format!("[{}, which follows in a message of the user]", in_words(part).trim_matches(['[', ']']))
        }
    };
    cut(tell_failure(result).iter().map(part).collect(), MAX_TEXT)
}

/// The pictures and files of a round's results, as a message of the user.
pub(super) fn media_of(abilities: &Abilities, round: &Round<'_>) -> Option<Value> {
    let mut parts = Vec::new();
    for (call, result) in round.calls.iter().filter_map(|call| Some((call, call.result?))) {
        let media: Vec<Value> = result.content.iter().filter_map(|part| as_media(abilities, part)).collect();
        if !media.is_empty() {
            let name = result.tool.display_name();
            parts.push(text_part(&format!("[from the result of `{name}`, call `{}`]", call.id)));
            parts.extend(media);
        }
    }
    (!parts.is_empty()).then(|| json!({ "role": "user", "content": parts }))
}

/// A result without a call, as a message of the user.
pub(super) fn unasked_result(abilities: &Abilities, result: &ResultItem) -> Value {
    let head = format!("[the result of an earlier call of `{}`]\n", result.tool.display_name());
    let content: Vec<Content> =
        std::iter::once(Content::Text(head)).chain(tell_failure(result).iter().cloned()).collect();
    json!({ "role": "user", "content": parts(abilities, &content) })
}

fn plain(content: &[Content]) -> String {
    cut(content.iter().map(in_words).collect(), MAX_TEXT)
}

fn text_part(text: &str) -> Value {
    json!({ "type": "text", "text": cut(text.to_owned(), MAX_TEXT) })
}

/// The part that carries it; `None` for a text, and for what the server does not take.
fn as_media(abilities: &Abilities, content: &Content) -> Option<Value> {
    match content {
        Content::Image(image) if abilities.images => {
            let url = image.media.to_url(&image.media_type);
            Some(json!({ "type": "image_url", "image_url": { "url": url } }))
        }
        Content::File(file) if abilities.files && matches!(file.media, Media::Base64(_)) => {
            let data = file.media.to_url(&file.media_type);
            Some(json!({ "type": "file", "file": { "filename": file.name, "file_data": data } }))
        }
        _ => None,
    }
}

/// As text: itself, or what and where it is.
fn in_words(content: &Content) -> String {
    let media = match content {
        Content::Text(text) => return text.clone(),
        Content::Image(image) => &image.media,
        Content::File(file) => &file.media,
    };
    let description = content.describe();
    match media {
        Media::Base64(_) => description.into_owned(),
        Media::Url(url) => format!("{} at {url}]", description.trim_end_matches(']')),
    }
}
