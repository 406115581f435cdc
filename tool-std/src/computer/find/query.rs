//! How well a path fits what was asked for.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::path::Path;

use globset::GlobSet;
use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::computer::scope::{globs, has_glob};

/// The most words and globs of a pattern, and the most characters of one. The score of a longer word would not fit into
/// the number that it is counted in.
const WORDS: usize = 20;
const LETTERS: usize = 1_000;

/// What was asked for: words that a path must be like, and globs that it must match.
#[derive(Debug)]
pub(super) struct Query {
    words: Vec<Word>,
    globs: Vec<GlobSet>,
}

#[derive(Debug)]
struct Word {
    /// In lower case, unless case counts.
    text: String,
    case_counts: bool,
    has_slash: bool,
    letters: Atom,
    /// The score of the word itself.
    perfect: u32,
}

/// How a path fits; the better ones are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    how: How,
    score: Reverse<u32>,
    /// Whether only letters fit, and they are far apart.
    pub(super) is_weak: bool,
}

/// What of a path fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// The file's name, with its extension or without.
    Name,
    NameStart,
    InName,
    InPath,
    /// The letters in their order, with others between them.
    Letters,
}

/// What a thread needs to compare paths.
pub(super) struct Comparer {
    matcher: Matcher,
    characters: Vec<char>,
    path: String,
    name: String,
}

impl Query {
    /// Words of `pattern` with `*`, `?` or braces are globs.
    ///
    /// # Errors
    ///
    /// A sentence for the model when one is no glob.
    pub(super) fn of(pattern: &str) -> Result<Self, String> {
        let mut comparer = Comparer::new();
        let (mut words, mut of_globs) = (Vec::new(), Vec::new());
        if pattern.split_whitespace().count() > WORDS {
            return Err(format!("the pattern has more than {WORDS} words: give fewer"));
        }
        for part in pattern.split_whitespace() {
            if part.chars().count() > LETTERS {
                return Err(format!(
                    "a word of the pattern has more than {LETTERS} characters: give a part of it"
                ));
            }
            if has_glob(part) {
                let everywhere = if part.contains('/') { "" } else { "**/" };
                of_globs.push(globs([format!("{everywhere}{part}")])?);
            } else {
                words.push(Word::of(part, &mut comparer));
            }
        }
        Ok(Self { words, globs: of_globs })
    }

    /// Whether it asks for nothing but globs, or for nothing.
    pub(super) fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// How `path` fits, if it does. All words and globs must.
    pub(super) fn fit(&self, path: &Path, comparer: &mut Comparer) -> Option<Fit> {
        if !self.globs.iter().all(|glob| glob.is_match(path)) {
            return None;
        }
        let mut fit = Fit { how: How::Name, score: Reverse(0), is_weak: false };
        if self.words.is_empty() {
            return Some(fit);
        }
        let text = path.to_string_lossy();
        let name = path.file_name().unwrap_or(OsStr::new("")).to_string_lossy();
        for word in &self.words {
            let score =
                word.letters.score(Utf32Str::new(&text, &mut comparer.characters), &mut comparer.matcher)?;
            let how = word.how(&text, &name, comparer);
            fit.how = fit.how.max(how);
            fit.score.0 += u32::from(score);
            fit.is_weak |= how == How::Letters && u32::from(score) * 10 < word.perfect * 7;
        }
        Some(fit)
    }
}

impl Word {
    fn of(text: &str, comparer: &mut Comparer) -> Self {
        let letters = Atom::new(text, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy, false);
        let perfect = letters.score(Utf32Str::new(text, &mut comparer.characters), &mut comparer.matcher);
        Self {
            text: text.to_owned(),
            case_counts: text.contains(char::is_uppercase),
            has_slash: text.contains('/'),
            letters,
            perfect: perfect.map_or(0, u32::from),
        }
    }

    /// What fits of a path that has the letters.
    fn how(&self, path: &str, name: &str, comparer: &mut Comparer) -> How {
        let (path, name) = if self.case_counts {
            (path, name)
        } else {
            (lower_case(path, &mut comparer.path), lower_case(name, &mut comparer.name))
        };
        let word = self.text.as_str();
        if self.has_slash {
            let ends =
                path.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with('/'));
            return match () {
                () if ends => How::Name,
                () if path.contains(word) => How::InPath,
                () => How::Letters,
            };
        }
        match name.strip_prefix(word) {
            Some(rest) if rest.is_empty() || (rest.starts_with('.') && !word.starts_with('.')) => How::Name,
            Some(_) => How::NameStart,
            None if name.contains(word) => How::InName,
            None if path.contains(word) => How::InPath,
            None => How::Letters,
        }
    }
}

fn lower_case<'a>(text: &str, into: &'a mut String) -> &'a str {
    into.clear();
    if text.is_ascii() {
        into.push_str(text);
        into.make_ascii_lowercase();
    } else {
        into.extend(text.chars().flat_map(char::to_lowercase));
    }
    into
}

impl Comparer {
    pub(super) fn new() -> Self {
        let matcher = Matcher::new(Config::DEFAULT.match_paths());
        Self { matcher, characters: Vec::new(), path: String::new(), name: String::new() }
    }
}
