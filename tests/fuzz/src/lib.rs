//! What must hold of any schema and any text.

use std::borrow::Cow;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use tool_runtime::{ArgumentClass, ArgumentDecoder, Effect};

/// A schema as both sides see it.
pub struct Subject {
    decoder: ArgumentDecoder,
    general: Option<Validator>,
}

impl Subject {
    /// `None` if the schema is refused.
    pub fn new(schema: &Value) -> Option<Self> {
        let decoder = ArgumentDecoder::new(schema).ok()?;
        let general = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(false)
            .build(schema)
            .ok();
        // `format` is left out on the other side, `nullable` is OpenAPI's, and long numbers are rounded there.
        let text = schema.to_string();
        let is_comparable = !["format", "nullable", "multipleOf"].iter().any(|word| text.contains(word))
            && !has_long_number(&text);
        Some(Self { decoder, general: general.filter(|_| is_comparable) })
    }

    /// Decodes the text both for a tool that writes and for one that reads, and checks what comes.
    pub fn check(&self, raw: &str) {
        let writes = self.decode(raw, Effect::Writes);
        let reads = self.decode(raw, Effect::ReadOnly);
        if let Some(text) = &writes {
            assert_eq!(reads.as_ref(), Some(text), "a tool that reads takes all that one that writes takes");
            self.cuts_are_refused(text);
        }
        self.agrees_with_the_general_validator(raw, writes.as_deref());
    }

    fn decode(&self, raw: &str, effect: Effect) -> Option<String> {
        let decoded = match self.decoder.decode(raw, effect) {
            Ok(decoded) => decoded,
            Err(error) => {
                assert!(error.to_string().chars().count() <= 2_000, "{error}");
                return None;
            }
        };
        assert_eq!(decoded.repairs.is_empty(), matches!(decoded.text, Cow::Borrowed(_)));
        assert!(serde_json::from_str::<Value>(&decoded.text).is_ok(), "{}", decoded.text);
        let again = self.decoder.decode(&decoded.text, Effect::Writes);
        let again = again.unwrap_or_else(|error| panic!("{} is not read again: {error}", decoded.text));
        assert!(again.repairs.is_empty(), "{} is repaired again: {:?}", decoded.text, again.repairs);
        Some(decoded.text.into_owned())
    }

    /// An object that was accepted, cut anywhere before its last bracket, never runs a tool that writes.
    fn cuts_are_refused(&self, text: &str) {
        let object = text.trim();
        let ends: Vec<usize> = object.char_indices().map(|(at, _)| at).skip(1).collect();
        // All cuts of a short text, some of a long one.
        for end in ends.iter().step_by(ends.len() / 64 + 1) {
            let cut = &object[..*end];
            match self.decoder.decode(cut, Effect::Writes) {
                Ok(decoded) => panic!("{cut} runs as {}", decoded.text),
                Err(error) => assert_eq!(error.class(), ArgumentClass::Truncated, "{cut}: {error}"),
            }
        }
    }

    fn agrees_with_the_general_validator(&self, raw: &str, accepted: Option<&str>) {
        let Some(general) = &self.general else { return };
        if let Some(text) = accepted
            && !has_long_number(text)
        {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(general.is_valid(&value), "{text} does not fit");
        }
        if !raw.trim_start().starts_with('{') || has_long_number(raw) || has_repeated_key(raw) {
            return;
        }
        if let Ok(value) = serde_json::from_str::<Value>(raw) {
            assert!(accepted.is_some() || !general.is_valid(&value), "{raw} fits and is refused");
        }
    }
}

/// Whether a number in it may be more than a float holds.
fn has_long_number(text: &str) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".+-eE".contains(byte);
    text.as_bytes().chunk_by(|left, right| is_part(left) && is_part(right)).any(|run| {
        is_part(&run[0]) && (run.len() > 15 || run.iter().any(|byte| b"eE".contains(byte)) && run.len() > 1)
    })
}

/// Whether writing the text anew makes it shorter, as it does when a key stands twice.
fn has_repeated_key(text: &str) -> bool {
    let colons = |text: &str| text.matches(':').count();
    serde_json::from_str::<Value>(text).is_ok_and(|value| colons(&value.to_string()) < colons(text))
}
