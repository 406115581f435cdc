//! What goes back to a provider is legal, whatever came from it or from another one.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::model::ResultItem;
use crate::output::{Content, NO_OUTPUT};

/// The longest text that providers take, in characters.
pub(super) const MAX_TEXT: usize = 10_485_760;
/// The longest name that the provider takes back.
const MAX_NAME: usize = 64;
/// The key under which arguments that are no JSON object are shown to the model again.
const BROKEN_ARGUMENTS: &str = "INVALID_JSON";
/// How much of such arguments is shown, in characters.
const MAX_BROKEN_ARGUMENTS: usize = 2_000;

/// The format has no flag for a failure, so the text has to say it; and it refuses a result that is empty.
pub(super) fn tell_failure(result: &ResultItem) -> Cow<'_, [Content]> {
    let says_so =
        |text: &str| text.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("error"));
    let told = result.content.iter().find_map(Content::as_text).is_some_and(says_so);
    if !result.is_error && result.content.iter().all(Content::is_empty) {
        return Cow::Owned(vec![Content::Text(NO_OUTPUT.to_owned())]);
    }
    if !result.is_error || told {
        return Cow::Borrowed(&result.content);
    }
    let mark = Content::Text("error: ".to_owned());
    Cow::Owned(std::iter::once(mark).chain(result.content.iter().cloned()).collect())
}

/// The arguments as a JSON object: as they are, `{}` where there are none, or the broken text under one marked key.
pub(super) fn legal_arguments(text: &str) -> Cow<'_, str> {
    if text.trim().is_empty() {
        return Cow::Borrowed("{}");
    }
    // Read in full, since the provider does the same: nesting and escapes count.
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(_)) => Cow::Borrowed(text),
        Ok(Value::Null) => Cow::Borrowed("{}"),
        _ => {
            let shown = cut(text.to_owned(), MAX_BROKEN_ARGUMENTS);
            Cow::Owned(json!({ BROKEN_ARGUMENTS: shown }).to_string())
        }
    }
}

/// A name that the provider takes: letters, digits, `_` and `-`, at most 64.
pub(super) fn legal_name(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = name.chars().map(legal).take(MAX_NAME).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// At most `max` characters of a text, with a note of what was left out where it is longer.
pub(super) fn cut(mut text: String, max: usize) -> String {
    const ROOM_FOR_NOTE: usize = 100;
    if text.len() <= max || text.chars().nth(max).is_none() {
        return text;
    }
    let kept = text.char_indices().nth(max - ROOM_FOR_NOTE).map_or(text.len(), |(at, _)| at);
    let left_out = text.len() - kept;
    text.truncate(kept);
    text.push_str(&format!("\n[cut: {left_out} bytes left out]"));
    text
}
