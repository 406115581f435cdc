//! In what the providers' strict modes differ.

use serde_json::Value;

/// Whose strict mode.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::schema) enum Rules {
    /// Every property required, so that what is optional admits null instead; bounds of numbers and lists, recursion, and
    /// limits on the whole.
    OpenAi,
    /// Optional properties as they are; no bounds but a list of at least one item, and no recursion.
    Anthropic,
}

impl Rules {
    /// Whether a keyword about texts is known with this value.
    pub(super) fn knows_text(self, keyword: &str, value: &Value) -> bool {
        const FORMATS: [&str; 9] =
            ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
        let text = value.as_str().unwrap_or_default();
        match (keyword, self) {
            ("pattern", Self::OpenAi) => true,
            ("pattern", Self::Anthropic) => is_simple(text),
            ("format", Self::OpenAi) => FORMATS.contains(&text),
            ("format", Self::Anthropic) => FORMATS.contains(&text) || text == "uri",
            _ => false,
        }
    }
}

/// Whether a pattern has only characters, classes, groups, alternatives, anchors and small repetitions: no looking around, no
/// references back, no borders of words.
fn is_simple(pattern: &str) -> bool {
    const MOST_REPEATED: u32 = 100;
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        let is_plain = match c {
            '\\' => rest.next().is_some_and(|escaped| {
                matches!(escaped, 'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 'r' | 't')
                    || !escaped.is_ascii_alphanumeric()
            }),
            '(' => !rest.as_str().starts_with('?') || rest.as_str().starts_with("?:"),
            '{' => {
                let counts = rest.as_str().split('}').next().unwrap_or_default();
                let is_small = |count: &str| {
                    count.is_empty() || count.parse().is_ok_and(|count: u32| count <= MOST_REPEATED)
                };
                counts.split(',').all(is_small)
            }
            _ => true,
        };
        if !is_plain {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_simple_patterns_are_taken_for_simple() {
        for simple in ["^[a-z]+$", "a|b", "(?:ab)*", r"\d{3}-\d{2,}", r"\.\*\\", "[^/]?", "ä"] {
            assert!(is_simple(simple), "{simple}");
        }
        for other in [r"\bword\b", r"(a)\1", "(?=a)", "(?<!a)b", "(?i)a", r"\p{L}", "a{1000}", "a{", "\\"] {
            assert_eq!(is_simple(other), other == "a{", "{other}");
        }
    }
}
