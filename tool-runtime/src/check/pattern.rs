//! Patterns of a schema (ECMA-262) on a small engine that takes linear time.
//!
//! Only syntax that means the same in both, or can be written so that it does, is taken. The rest (look-around,
//! back-references, Unicode classes) is left to the general validator.

use std::fmt;

use regex_lite::{Regex, RegexBuilder};

/// The most memory that one compiled pattern may take, in bytes. The time of a match grows with it.
const SIZE_LIMIT: usize = 32 * 1024;

/// The longest text that a pattern is tried on, in bytes. A longer one counts as no match.
pub(crate) const LONGEST_MATCHED: usize = 128 * 1024;

/// What `\s` matches, as the inside of a class.
const SPACE: &str = r"\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";

/// What `.` matches.
const ANY: &str = r"[^\n\r\x{2028}\x{2029}]";

/// A compiled pattern.
pub(crate) struct Pattern {
    source: String,
    regex: Regex,
    /// How many characters the text has, where that was taken out of the pattern.
    counts: Option<(usize, usize)>,
}

impl Pattern {
    /// Compiles an ECMA-262 pattern; `None` if this engine cannot say the same, or not in reasonable size.
    pub(crate) fn new(source: &str) -> Option<Self> {
        let (translated, counts) = match counted_class(source) {
            Some((class, least, most)) => (format!("^{class}*$"), Some((least, most))),
            None => (translate(source)?, None),
        };
        let regex = RegexBuilder::new(&translated).size_limit(SIZE_LIMIT).build().ok()?;
        Some(Self { source: source.to_owned(), regex, counts })
    }

    /// Whether it matches somewhere in the text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let counts = self.counts.is_none_or(|(least, most)| (least..=most).contains(&text.chars().count()));
        text.len() <= LONGEST_MATCHED && counts && self.regex.is_match(text)
    }

    /// The pattern as it was written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

/// Takes `^[a-z]{1,500}$` apart. Copying the class 500 times would be slow, and counting says the same.
fn counted_class(source: &str) -> Option<(String, usize, usize)> {
    let body = source.strip_prefix('^')?.strip_suffix('$')?;
    let (atom, counts) = body.strip_suffix('}')?.rsplit_once('{')?;
    let mut class_text = String::new();
    let rest = match atom.split_at_checked(1)? {
        ("[", after) => class(after, &mut class_text)?,
        (".", after) => {
            class_text.push_str(ANY);
            after
        }
        ("\\", after) => escape(after, &mut class_text, false)?,
        _ => return None,
    };
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    let most = if most.is_empty() { Some(usize::MAX) } else { count(most) };
    rest.is_empty().then_some((class_text, count(least)?, most?))
}

/// A count of decimal digits.
fn count(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The same pattern in the engine's syntax.
fn translate(source: &str) -> Option<String> {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(character) = rest.chars().next() {
        let after = rest.get(character.len_utf8()..)?;
        rest = match character {
            '\\' => escape(after, &mut out, false)?,
            '[' => class(after, &mut out)?,
            '.' => {
                out.push_str(ANY);
                after
            }
            '(' => group(after, &mut out)?,
            // A lone brace or bracket is text in old ECMA and an error in new: not guessed at.
            '{' => repetition(after, &mut out)?,
            '}' | ']' => return None,
            other => {
                out.push(other);
                after
            }
        };
    }
    Some(out)
}

/// `(`, `(?:` and `(?<name>`; look-around and flags are not taken.
fn group<'a>(after: &'a str, out: &mut String) -> Option<&'a str> {
    let Some(marked) = after.strip_prefix('?') else {
        out.push('(');
        return Some(after);
    };
    if let Some(rest) = marked.strip_prefix(':') {
        out.push_str("(?:");
        return Some(rest);
    }
    let (name, rest) = marked.strip_prefix('<')?.split_once('>')?;
    if name.is_empty() || !name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
    {
        return None;
    }
    // Nothing asks for the name, so the group needs none.
    out.push_str("(?:");
    Some(rest)
}

/// `{n}`, `{n,}` and `{n,m}`.
fn repetition<'a>(after: &'a str, out: &mut String) -> Option<&'a str> {
    let (counts, rest) = after.split_once('}')?;
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    count(least)?;
    if !most.is_empty() {
        count(most)?;
    }
    out.push('{');
    out.push_str(counts);
    out.push('}');
    Some(rest)
}

/// What follows a backslash.
fn escape<'a>(after: &'a str, out: &mut String, in_class: bool) -> Option<&'a str> {
    let character = after.chars().next()?;
    let rest = after.get(character.len_utf8()..)?;
    match character {
        'd' => out.push_str(if in_class { "0-9" } else { "[0-9]" }),
        'w' => out.push_str(if in_class { "0-9A-Za-z_" } else { "[0-9A-Za-z_]" }),
        's' if in_class => out.push_str(SPACE),
        's' => {
            out.push('[');
            out.push_str(SPACE);
            out.push(']');
        }
        'D' if !in_class => out.push_str("[^0-9]"),
        'W' if !in_class => out.push_str("[^0-9A-Za-z_]"),
        'S' if !in_class => {
            out.push_str("[^");
            out.push_str(SPACE);
            out.push(']');
        }
        'b' if !in_class => out.push_str(r"\b"),
        'B' if !in_class => out.push_str(r"\B"),
        'b' => out.push_str(r"\x08"),
        't' | 'n' | 'r' | 'f' | 'v' => {
            out.push('\\');
            out.push(character);
        }
        '0' if !rest.starts_with(|next: char| next.is_ascii_digit()) => out.push_str(r"\x00"),
        'c' => {
            let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
            push_code(out, u32::from(letter) % 32);
            return rest.get(1..);
        }
        'x' => return code(rest, 2, out),
        'u' => match rest.strip_prefix('{') {
            Some(braced) => {
                let (digits, rest) = braced.split_once('}')?;
                code(digits, digits.len(), out)?;
                return Some(rest);
            }
            None => return code(rest, 4, out),
        },
        punctuation if punctuation.is_ascii_punctuation() => push_literal(out, punctuation),
        _ => return None,
    }
    Some(rest)
}

/// So many hexadecimal digits, which name a character.
fn code<'a>(text: &'a str, length: usize, out: &mut String) -> Option<&'a str> {
    let (digits, rest) = text.split_at_checked(length)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    // Half of a surrogate pair names no character by itself.
    char::from_u32(code)?;
    push_code(out, code);
    Some(rest)
}

fn push_code(out: &mut String, code: u32) {
    out.push_str(&format!("\\x{{{code:x}}}"));
}

/// A character that stands for itself, escaped if it could mean anything.
fn push_literal(out: &mut String, character: char) {
    if character.is_ascii_punctuation() {
        push_code(out, u32::from(character));
    } else {
        out.push(character);
    }
}

/// The inside of `[...]`. Everything but escapes, ranges and a leading `^` stands for itself.
fn class<'a>(after: &'a str, out: &mut String) -> Option<&'a str> {
    let mut rest = after;
    out.push('[');
    if let Some(negated) = rest.strip_prefix('^') {
        out.push('^');
        rest = negated;
    }
    // `[]` matches nothing and `[^]` everything; this engine has neither.
    if rest.starts_with(']') {
        return None;
    }
    let mut can_start_range = false;
    loop {
        let character = rest.chars().next()?;
        let after = rest.get(character.len_utf8()..)?;
        match character {
            ']' => {
                out.push(']');
                return Some(after);
            }
            '-' if can_start_range && !after.starts_with(']') => {
                let end = after.chars().next()?;
                let end_rest = after.get(end.len_utf8()..)?;
                out.push('-');
                rest = match end {
                    '\\' if !end_rest.starts_with(['d', 'w', 's']) => escape(end_rest, out, true)?,
                    '\\' => return None,
                    end => {
                        push_literal(out, end);
                        end_rest
                    }
                };
                can_start_range = false;
            }
            '\\' => {
                let is_set = after.starts_with(['d', 'w', 's']);
                rest = escape(after, out, true)?;
                // `[\d-x]` is an error in new ECMA and three alternatives in old.
                if is_set && rest.starts_with('-') && !rest.starts_with("-]") {
                    return None;
                }
                can_start_range = !is_set;
            }
            other => {
                push_literal(out, other);
                rest = after;
                can_start_range = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEMVER: &str = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$";

    #[test]
    fn patterns_mean_what_ecma_says() {
        for (pattern, text, expected) in [
            (r"^\d{4}-\d{2}$", "2026-01", true),
            (r"^\d+$", "٣", false),
            (r"^a.b$", "a\rb", false),
            (r"^\S+$", "a\u{a0}b", false),
            (r"^[\w.-]+$", "a.b-c_1", true),
            (r"^[^/]+\/x$", "a/x", true),
            (r"^[[&]+$", "[&", true),
            (r"^[a&&b]+$", "&", true),
            (r"^[+--]$", ",", true),
            (r"é\u00e9\u{e9}\xe9", "éééé", true),
            (r"^(?<year>\d)(?:x|y)$", "3y", true),
            (r"^\cA$", "\u{1}", true),
            (r"b", "abc", true),
            (r"^[a-z\d]{2,4000}$", "a1", true),
            (r"^[a-z\d]{2,4000}$", "a", false),
            (r"^.{2}$", "éé", true),
            (r"^\d{2,}$", "123", true),
            (r"^\d{2,}$", "12x", false),
            (r"^\\{2}$", r"\\", true),
            (r"^a|b{2}$", "ac", true),
            (SEMVER, "1.0.0-rc.1+b5", true),
        ] {
            assert_eq!(Pattern::new(pattern).unwrap().is_match(text), expected, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn what_the_engine_cannot_say_is_not_taken() {
        for pattern in [
            r"(?=a)", r"(?<!a)b", r"(a)\1", r"\p{L}", r"(?i)a", r"\A", r"[]", r"[^]", r"a{", r"(", r"[\D]",
            r"\z", r"\ud83d",
        ] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
        assert!(Pattern::new("(((x{1,999}){1,999}){1,999})").is_none(), "too large");
    }
}
