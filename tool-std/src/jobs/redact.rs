//! Takes secrets out of texts that are shown to others than the job's own model.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex_lite::Regex;

/// What stands in the place of a secret.
const REDACTED: &str = "[redacted]";

/// What secrets look like, and what is put in their place.
const SECRETS: &[(&str, &str)] = &[
    (r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)", REDACTED),
    (r"\bsk-[A-Za-z0-9_-]{16,}", REDACTED),
    (r"\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})", REDACTED),
    (r"\bxox[abeprs]-[A-Za-z0-9-]{10,}", REDACTED),
    (r"\b(AKIA|ASIA)[0-9A-Z]{16}\b", REDACTED),
    (r"\bAIza[0-9A-Za-z_-]{30,}", REDACTED),
    (r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*", REDACTED),
    (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{16,}", "$1 [redacted]"),
    (r"(://[^/\s:@]+):[^/\s@]+@", "$1:[redacted]@"),
    (
        r#"(?i)((?:password|passwd|secret|token|api[_-]?key|access[_-]?key)[a-z0-9_]*\\?["']?\s*[:=]\s*\\?["']?)[^\s"'\\,;&\[]{6,}"#,
        "$1[redacted]",
    ),
];

/// Ids that say nothing to a reader: UUIDs and long hexadecimal numbers.
const IDS: &str = r"(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32,}\b";

static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    SECRETS.iter().filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, *with))).collect()
});

/// The text without secrets, and whether there were any.
pub(crate) fn redact(text: &str) -> (String, bool) {
    let mut text = Cow::Borrowed(text);
    let mut is_redacted = false;
    for (pattern, with) in COMPILED.iter() {
        if let Cow::Owned(replaced) = pattern.replace_all(&text, *with) {
            is_redacted = true;
            text = Cow::Owned(replaced);
        }
    }
    (text.into_owned(), is_redacted)
}

/// The text with `[id]` for each long id.
pub(crate) fn without_ids(text: &str) -> String {
    static ID: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(IDS).ok());
    ID.as_ref().map_or_else(|| text.to_owned(), |id| id.replace_all(text, "[id]").into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(COMPILED.len(), SECRETS.len());
        assert!(Regex::new(IDS).is_ok());
    }

    #[test]
    fn secrets_are_taken_out_and_the_rest_stays() {
        for (text, expected) in [
            ("key sk-proj-abcdefghijklmnop1234 end", "key [redacted] end"),
            ("ghp_abcdefghijklmnopqrst1", "[redacted]"),
            ("Authorization: Bearer abcdefghijklmnop.qrst", "Authorization: Bearer [redacted]"),
            ("postgres://me:hunter2@host/db", "postgres://me:[redacted]@host/db"),
            (r#"{"api_key": "abcdef123456"}"#, r#"{"api_key": "[redacted]"}"#),
            ("API_TOKEN=abcdef123456 make", "API_TOKEN=[redacted] make"),
            ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest", "[redacted]\nrest"),
        ] {
            assert_eq!(redact(text), (expected.to_owned(), true), "{text}");
        }
        for harmless in
            ["the token of love", "password: ask", "see https://host/a:b", "tokens=12", "sk-learn"]
        {
            assert_eq!(redact(harmless), (harmless.to_owned(), false));
        }
    }

    #[test]
    fn ids_are_taken_out() {
        let text = "run 01890a5d-ac96-774b-bcce-b302099a8057 of commit 0123456 failed";
        assert_eq!(without_ids(text), "run [id] of commit 0123456 failed");
    }
}
