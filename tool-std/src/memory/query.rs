//! From the words of a query to one of FTS5, in which nothing is syntax.

/// The most words of a query that are looked for.
const MAX_WORDS: usize = 64;

/// Any of the words, each quoted; `None` if there is none.
pub(super) fn any_word(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut quoted: Vec<String> = Vec::new();
    for word in words {
        // A word has letters and digits only, so that it cannot end its quotes.
        let word = format!("\"{word}\"");
        if quoted.len() < MAX_WORDS && !quoted.contains(&word) {
            quoted.push(word);
        }
    }
    (!quoted.is_empty()).then(|| quoted.join(" OR "))
}

#[cfg(test)]
mod tests {
    use super::any_word;

    #[test]
    fn every_word_is_quoted_and_nothing_is_syntax() {
        assert_eq!(
            any_word("a NEAR(b) -c* \"d\" a").as_deref(),
            Some(r#""a" OR "NEAR" OR "b" OR "c" OR "d""#)
        );
        assert_eq!(any_word("é\u{4e2d}\u{0}x").as_deref(), Some("\"é\u{4e2d}\" OR \"x\""));
        assert_eq!(any_word(" \"*- "), None);
        assert_eq!(any_word(&"w1 w2 ".repeat(1_000)).unwrap().matches('"').count(), 4);
    }
}
