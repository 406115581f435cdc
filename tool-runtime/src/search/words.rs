//! From texts to the words that are compared: names are taken apart, endings are cut off, and words that say nothing are left
//! out.

use bm25::Tokenizer;
use rust_stemmers::{Algorithm, Stemmer};

/// English words that stand in any request and in any description.
const EMPTY: [&str; 52] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "has",
    "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "need", "of", "on", "or", "our",
    "please", "some", "that", "the", "their", "there", "these", "this", "to", "tool", "tools", "use", "want",
    "was", "we", "what", "which", "will", "with", "you", "your",
];

/// Makes the words of names, descriptions and queries.
pub(super) struct Words {
    stemmer: Stemmer,
}

impl Words {
    pub(super) fn new() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }
}

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let words = plain(text).into_iter().filter(|word| !EMPTY.contains(&word.as_str()));
        words.map(|word| self.stemmer.stem(&word).into_owned()).collect()
    }
}

/// The words of a text in small letters, as they are written. `findCustomer` is `findcustomer`, `find` and `customer`, since
/// `GitHub` may be looked for either way; a character of a script without spaces is a word.
pub(super) fn plain(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let parts = parts(run);
        if parts.len() > 1 && !run.chars().any(is_unspaced) {
            words.push(run.to_lowercase());
        }
        words.extend(parts.into_iter().map(str::to_lowercase));
    }
    words
}

/// Takes a run of letters and digits apart where its case says so, and around each character that is a word of its own.
fn parts(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    let mut chars = run.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, next)| next);
        // `findCustomer` before the `C`, `HTTPServer` before the `S`.
        let turns = |before: char| {
            c.is_uppercase() && (!before.is_uppercase() || next.is_some_and(|next| next.is_lowercase()))
                || is_unspaced(before)
                || is_unspaced(c)
        };
        if before.is_some_and(turns) {
            parts.extend(run.get(start..at));
            start = at;
        }
        before = Some(c);
    }
    parts.extend(run.get(start..));
    parts
}

/// Whether the character belongs to a script that writes no spaces between words: Chinese, Japanese, Korean syllables.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_where_they_are_joined() {
        assert_eq!(plain("find_customer-by.name"), ["find", "customer", "by", "name"]);
        assert_eq!(plain("findCustomer"), ["findcustomer", "find", "customer"]);
        assert_eq!(plain("HTTPServer2"), ["httpserver2", "http", "server2"]);
        assert_eq!(plain("ÜberBlick"), ["überblick", "über", "blick"]);
        assert_eq!(plain("  --__..  "), [""; 0]);
    }

    #[test]
    fn a_character_is_a_word_where_no_spaces_are_written() {
        assert_eq!(plain("查找客户 crm"), ["查", "找", "客", "户", "crm"]);
    }

    #[test]
    fn endings_and_words_that_say_nothing_do_not_count() {
        let words = Words::new();
        assert_eq!(words.tokenize("List the orders of customers"), words.tokenize("listing order customer"));
        assert_eq!(words.tokenize("what is the tool for this"), [""; 0]);
    }
}
