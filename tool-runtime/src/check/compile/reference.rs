//! Where a `$ref` leads, and what the place of a schema means for it.

use std::borrow::Cow;

use serde_json::Value;

use super::{Compiler, Draft};

impl Compiler<'_> {
    pub(super) fn reference(&mut self, value: &Value, here: &str, draft: &mut Draft) {
        let Some(reference) = value.as_str() else {
            return self.fault(here, "`$ref` must be a text");
        };
        let pointer = reference.strip_prefix('#').map(percent_decoded);
        match pointer {
            Some(pointer)
                if (pointer.is_empty() || pointer.starts_with('/')) && !self.is_in_inner_document(here) =>
            {
                if self.document.pointer(&pointer).is_some() {
                    let target = self.refer(&pointer);
                    draft.rule.all.push(target);
                } else {
                    self.fault(here, format!("`{reference}` leads nowhere in this schema"));
                }
            }
            // An anchor, or a place in another document.
            _ => self.leave(draft, here, "$ref"),
        }
    }

    /// Whether a schema around this place has an `$id` of its own, which references are then relative to.
    fn is_in_inner_document(&self, place: &str) -> bool {
        let mut around = Some(self.document);
        place.split('/').skip(1).any(|step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            around = around.and_then(|value| match value {
                Value::Array(items) => items.get(step.parse::<usize>().ok()?),
                value => value.get(&step),
            });
            around.and_then(|value| value.get("$id")).is_some_and(Value::is_string)
        })
    }
}

/// Whether `$schema` names a draft of JSON Schema. What older drafts mean otherwise is an error of its own.
pub(super) fn is_known_dialect(name: &str) -> bool {
    let name = name.strip_prefix("https://").or_else(|| name.strip_prefix("http://"));
    name.is_some_and(|name| name.starts_with("json-schema.org/"))
}

/// Decodes `%41` in a fragment; what is no such thing stays.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code =
            after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
