//! From texts to the words that are compared, the same for both databases: without case and accents, with endings cut off,
//! joined names also in their parts, and scripts without spaces in neighbouring pairs of characters.

use std::collections::HashSet;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The most words of a query that are looked for.
const MAX_QUERY_WORDS: usize = 64;
/// The most of a query that is looked at, in bytes.
const MAX_QUERY: usize = 64 << 10;
/// The longest word, in characters; what comes behind is not compared.
const MAX_WORD: usize = 64;

/// English words of questions that say nothing of what is asked.
const EMPTY: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "cannot", "could", "did", "do", "does", "doing", "done",
    "dont", "each", "for", "from", "get", "gets", "give", "gives", "go", "goes", "got", "had", "happen",
    "happens", "has", "have", "how", "i", "if", "im", "in", "into", "is", "it", "its", "itself", "just",
    "know", "let", "like", "made", "make", "makes", "many", "may", "me", "mean", "means", "might", "more",
    "most", "much", "must", "my", "need", "no", "not", "of", "off", "on", "one", "only", "or", "other",
    "our", "out", "over", "own", "please", "should", "so", "some", "still", "such", "tell", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "up", "us",
    "use", "used", "using", "very", "want", "was", "way", "we", "were", "what", "when", "where", "whether",
    "which", "while", "who", "whom", "whose", "why", "will", "with", "without", "would", "you", "your",
];

/// The words of a text that is kept, with a space between them.
pub(super) fn of_text(text: &str) -> Vec<String> {
    words(text, Side::Kept).into_iter().map(|word| word.stem).collect()
}

/// The words of a query, each once. Those that say nothing count only where there are no others.
pub(super) fn of_query(text: &str) -> Vec<String> {
    let start = text.get(..text.floor_char_boundary(MAX_QUERY)).unwrap_or_default();
    let words = words(start, Side::Asked);
    let telling = words.iter().filter(|word| !EMPTY.contains(&word.plain.as_str()));
    let told = distinct(telling);
    if told.is_empty() { distinct(words.iter()) } else { told }
}

/// The words as a query of FTS5 for any of them. A word has letters, digits and marks only, so none is syntax in its quotes.
pub(super) fn match_any(words: &[String]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(" OR ")
}

/// The words of texts as a `tsvector` of PostgreSQL, each text with the weight that its words have (`A` to `D`).
pub(super) fn vector(texts: &[(&[String], char)]) -> String {
    let mut vector = String::new();
    let weighted = texts.iter().flat_map(|(words, weight)| words.iter().map(move |word| (word, weight)));
    for (position, (word, weight)) in weighted.enumerate() {
        // Positions behind the last that the database knows would all count as that one.
        let position = (position + 1).min(16_383);
        vector.push_str(&format!("'{word}':{position}{weight} "));
    }
    vector
}

/// Which side of the comparison words are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Kept,
    Asked,
}

/// A word as it was written, in lower case, and as it is compared.
struct Word {
    plain: String,
    stem: String,
}

fn distinct<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<String> {
    let mut seen = HashSet::new();
    let first = words.filter(|word| seen.insert(word.stem.as_str()));
    first.take(MAX_QUERY_WORDS).map(|word| word.stem.clone()).collect()
}

fn words(text: &str, side: Side) -> Vec<Word> {
    let mut found = Found { side, stemmer: Stemmer::create(Algorithm::English), words: Vec::new() };
    let mut run = String::new();
    for c in text.nfkc() {
        if c.is_alphanumeric() {
            // Between scripts ends a word, as in `Rust入門`.
            if run.chars().next_back().is_some_and(|before| is_unspaced(before) != is_unspaced(c)) {
                found.take(&std::mem::take(&mut run));
            }
            run.push(c);
        } else if !is_within_a_word(c) {
            found.take(&std::mem::take(&mut run));
        }
    }
    found.take(&run);
    found.words
}

/// Whether a sign ends no word: accents, apostrophes, and marks that are not seen.
fn is_within_a_word(c: char) -> bool {
    is_combining_mark(c) || matches!(c, '\'' | '\u{2019}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}')
}

struct Found {
    side: Side,
    stemmer: Stemmer,
    words: Vec<Word>,
}

impl Found {
    /// Takes a run of letters and digits.
    fn take(&mut self, run: &str) {
        let Some(first) = run.chars().next() else { return };
        if is_unspaced(first) {
            return self.take_unspaced(run);
        }
        let parts = parts(run);
        if parts.len() > 1 {
            parts.into_iter().for_each(|part| self.push(part));
        }
        self.push(run);
    }

    fn push(&mut self, word: &str) {
        let plain: String = word.chars().flat_map(char::to_lowercase).flat_map(bare).take(MAX_WORD).collect();
        if plain.is_empty() {
            return;
        }
        let is_english = plain.bytes().all(|byte| byte.is_ascii_lowercase());
        let stem = if is_english { self.stem(&plain) } else { plain.clone() };
        self.words.push(Word { plain, stem });
    }

    fn stem(&self, word: &str) -> String {
        let mut stem = self.stemmer.stem(word).into_owned();
        // `panicked` is a form of `panic`.
        if stem.ends_with("ick") {
            stem.pop();
        }
        stem
    }

    /// Every pair of neighbours, and in what is kept every character, so that one alone is found too.
    fn take_unspaced(&mut self, run: &str) {
        let chars: Vec<char> = run.chars().collect();
        let mut push = |chars: &[char]| {
            let word: String = chars.iter().flat_map(|c| c.to_lowercase()).collect();
            self.words.push(Word { plain: word.clone(), stem: word });
        };
        if self.side == Side::Kept || chars.len() == 1 {
            chars.chunks(1).for_each(&mut push);
        }
        chars.windows(2).for_each(&mut push);
    }
}

/// A letter without its accents.
fn bare(c: char) -> impl Iterator<Item = char> {
    let mut letters = Vec::new();
    decompose_canonical(c, |part| {
        if part.is_alphanumeric() {
            letters.push(part);
        }
    });
    letters.into_iter()
}

/// Takes a joined name apart where its case says so: `findCustomer` before the `C`, `HTTPServer` before the `S`.
fn parts(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut before) = (0, None::<char>);
    let mut chars = run.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_small = chars.peek().is_some_and(|&(_, next)| next.is_lowercase());
        let turns = before.is_some_and(|before| !before.is_uppercase() || next_is_small);
        if c.is_uppercase() && turns {
            parts.extend(run.get(start..at));
            start = at;
        }
        before = Some(c);
    }
    parts.extend(run.get(start..));
    parts
}

/// Whether the character belongs to a script that writes no spaces between words, or to Korean, whose words have endings
/// that no space parts from them.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_of_a_query_is_syntax() {
        let words = of_query("a NEAR(b, 2) -c* \"d\" col:e ^f AND OR NOT {g}");
        assert_eq!(match_any(&words), r#""near" OR "b" OR "2" OR "c" OR "d" OR "col" OR "e" OR "f" OR "g""#);
    }

    #[test]
    fn endings_case_and_accents_do_not_count() {
        assert_eq!(of_query("Connections"), of_query("connect"));
        assert_eq!(of_query("panicked panicking"), of_query("panics"));
        assert_eq!(of_query("Caf\u{e9}s ÉTÉ"), of_text("cafes été"));
        assert_eq!(of_text("e\u{301}t\u{e9}"), of_text("été"));
        assert_eq!(of_text("don\u{2019}t user's"), of_text("dont users"));
        assert_eq!(of_text("ｆｕｌｌ"), ["full"]);
    }

    #[test]
    fn joined_names_are_found_whole_and_in_parts() {
        assert_eq!(of_text("findCustomer"), ["find", "custom", "findcustom"]);
        assert_eq!(
            of_text("budget_tokens HTTPServer2"),
            ["budget", "token", "http", "server2", "httpserver2"]
        );
    }

    #[test]
    fn scripts_without_spaces_are_compared_in_pairs() {
        assert_eq!(of_text("Rust入門"), ["rust", "入", "門", "入門"]);
        assert_eq!(of_query("入門書"), ["入門", "門書"]);
        assert_eq!(of_query("猫"), ["猫"]);
    }

    #[test]
    fn empty_words_count_only_alone() {
        assert_eq!(of_query("what is the budget for"), ["budget"]);
        assert_eq!(of_query("What is it?"), ["what", "is", "it"]);
        assert_eq!(of_query("\"*- \u{1f389}"), [""; 0]);
    }

    #[test]
    fn a_query_has_a_bounded_number_of_words_each_once() {
        let many: String = (0..10_000).map(|number| format!("w{number} w1 ")).collect();
        assert_eq!(of_query(&many).len(), MAX_QUERY_WORDS);
        assert_eq!(of_query(&"b".repeat(1 << 20))[0].len(), MAX_WORD);
    }

    #[test]
    fn a_vector_names_positions_and_weights() {
        let (title, text) = (of_text("One"), of_text("two three"));
        assert_eq!(vector(&[(&title, 'A'), (&text, 'D')]), "'one':1A 'two':2D 'three':3D ");
    }

    proptest! {
        #[test]
        fn no_word_of_any_text_can_leave_its_quotes(text in any::<String>()) {
            for word in of_text(&text).into_iter().chain(of_query(&text)) {
                prop_assert!(!word.is_empty() && word.chars().all(char::is_alphanumeric), "{word:?}");
            }
        }
    }
}
