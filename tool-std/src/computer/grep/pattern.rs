//! What a search for content looks for.

use std::ffi::OsStr;

use grep_matcher::Matcher;
use grep_regex::{Error, ErrorKind, RegexMatcher, RegexMatcherBuilder};

use crate::computer::shown;

/// Bounds on what a pattern may take, in bytes: compiled, and of each thread's cache.
const COMPILED: usize = 4 * 1024 * 1024;
const CACHE: usize = 8 * 1024 * 1024;
/// The most characters of a text that is looked for loosely.
const LOOSE: usize = 64;
/// A pattern that is in all of these is in nearly every line.
const LINES: [&str; 6] = ["a", "Z", "7", "{", "-", "\u{e9}"];

/// A pattern, ready to search.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) matcher: RegexMatcher,
    /// Whether it is searched as it stands.
    is_literal: bool,
    /// Why it is, although it looks like a regular expression.
    pub(super) note: Option<String>,
}

/// Which case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Only if the pattern has a capital.
    Smart,
    Counts,
    Ignored,
}

impl Pattern {
    /// A regular expression, or a text if it is none.
    ///
    /// # Errors
    ///
    /// A sentence for the model when it cannot be searched, or is in every line.
    pub(super) fn of(text: &str, case: Case) -> Result<Self, String> {
        let pattern =
            if has_meta(text) { Self::regex(text, case)? } else { Self::literal(text, case, None)? };
        let is_in = |line: &&str| pattern.matcher.is_match(line.as_bytes()).unwrap_or(false);
        if LINES.iter().all(is_in) {
            return Err(format!(
                "`{text}` is in every line: search for something that stands in few, or read a file with `read_file`"
            ));
        }
        Ok(pattern)
    }

    fn regex(text: &str, case: Case) -> Result<Self, String> {
        match builder(case).build(text) {
            Ok(matcher) => Ok(Self { matcher, is_literal: false, note: None }),
            Err(error) => match error.kind() {
                ErrorKind::Regex(message) if !message.contains("size limit") => {
                    let why = message.rsplit("error: ").next().unwrap_or(message).trim();
                    let note =
                        format!("`{text}` is no regular expression ({why}) and was searched as it stands");
                    Self::literal(text, case, Some(note))
                }
                _ => Err(refused(text, &error)),
            },
        }
    }

    fn literal(text: &str, case: Case, note: Option<String>) -> Result<Self, String> {
        let matcher = builder(case).fixed_strings(true).build(text);
        matcher.map(|matcher| Self { matcher, is_literal: true, note }).map_err(|error| refused(text, &error))
    }

    /// For a text that was not found: the same letters and digits in any case, with at most one other character between
    /// two of them. So `readFile` is found as `read_file`.
    pub(super) fn loose(&self, text: &str) -> Option<RegexMatcher> {
        let kept: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        if !self.is_literal || kept.len() < 3 || kept.len() > LOOSE {
            return None;
        }
        let letters: Vec<String> = kept.iter().map(char::to_string).collect();
        builder(Case::Ignored).build(&letters.join(r"[\W_]?")).ok()
    }
}

fn builder(case: Case) -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).size_limit(COMPILED).dfa_size_limit(CACHE).ban_byte(Some(0)).crlf(true);
    match case {
        Case::Smart => builder.case_smart(true),
        Case::Counts => &mut builder,
        Case::Ignored => builder.case_insensitive(true),
    };
    builder
}

fn has_meta(text: &str) -> bool {
    text.contains(['\\', '.', '+', '*', '?', '(', ')', '|', '[', ']', '{', '}', '^', '$'])
}

fn refused(text: &str, error: &Error) -> String {
    let (text, _) = shown::name(OsStr::new(shown::cut(text, 100).unwrap_or(text)));
    match error.kind() {
        ErrorKind::NotAllowed(_) => {
            format!(
                "`{text}` has a line break, and a pattern is looked for within lines: search for one of its lines"
            )
        }
        ErrorKind::Banned(_) => format!("`{text}` has a NUL character, which no text has"),
        _ => format!("`{text}` is too large a pattern: search for less"),
    }
}
