//! Finds what a `$ref` points at. Only pointers into the same schema are followed; nothing is ever fetched.

use std::borrow::Cow;

use serde_json::Value;

use super::walk::{Below, below, shown};

/// The schema that a reference leads to.
pub(super) struct Target<'a> {
    /// Where it stands, as a plain JSON pointer.
    pub(super) pointer: String,
    pub(super) schema: &'a Value,
}

/// The schema in `root` that `reference` names.
///
/// # Errors
///
/// A sentence when it lies outside of `root`, is an anchor, or leads to nothing or to no schema.
pub(super) fn resolve<'a>(root: &'a Value, reference: &str) -> Result<Target<'a>, String> {
    let Some(fragment) = reference.strip_prefix('#') else {
        return Err(format!(
            "`{}` lies outside of this schema, and references are never fetched; copy what it names under \
             `$defs` and write `#/$defs/…`",
            shown(reference)
        ));
    };
    let Some(pointer) = percent_decoded(fragment) else {
        return Err(format!("`{}` is no JSON pointer: its percent signs give no text", shown(reference)));
    };
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(format!(
            "`{}` is an anchor; write the JSON pointer of its schema, such as `#/$defs/…`",
            shown(reference)
        ));
    }
    let schema = find(root, &pointer).ok_or_else(|| {
        format!("`{}` leads to no schema of this document; put the schema under `$defs`", shown(reference))
    })?;
    Ok(Target { pointer: pointer.into_owned(), schema })
}

/// What the next token of a pointer is.
enum Next {
    Keyword,
    Member(Below),
}

fn find<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    let mut value = root;
    let mut next = Next::Keyword;
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        match next {
            Next::Keyword => {
                value = value.as_object()?.get(&token)?;
                next = match below(&token) {
                    Below::Schema => Next::Keyword,
                    Below::Data => return None,
                    members => Next::Member(members),
                };
            }
            Next::Member(members) => {
                value = match members {
                    Below::List => value.as_array()?.get(token.parse::<usize>().ok()?)?,
                    _ => value.as_object()?.get(&token)?,
                };
                next = Next::Keyword;
            }
        }
    }
    (matches!(next, Next::Keyword) && (value.is_object() || value.is_boolean())).then_some(value)
}

/// A `%` without two hexadecimal digits stands for itself.
fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(part.bytes().skip(2));
            }
            None => {
                bytes.push(b'%');
                bytes.extend(part.bytes());
            }
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
