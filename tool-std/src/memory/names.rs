//! Names of pages and of what facts are about: the form in which they are kept, and the one in which they are compared.

use unicode_normalization::UnicodeNormalization as _;

use super::error::MemoryError;
use super::page::MAX_TITLE;

/// A title as it is kept: on one line, without space around it.
pub(super) fn title(what: &str, text: &str) -> Result<String, MemoryError> {
    check_text(what, text)?;
    let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(MemoryError::invalid(format!("{what} is blank; give it a name")));
    }
    if title.len() > MAX_TITLE {
        return Err(MemoryError::invalid(format!(
            "{what} has {} bytes and may have {MAX_TITLE}; give it a shorter one",
            title.len()
        )));
    }
    Ok(title)
}

/// A title that is not too long: the start of one that is.
pub(super) fn bounded(title: &str) -> String {
    title.get(..title.floor_char_boundary(MAX_TITLE)).unwrap_or_default().to_owned()
}

/// What two titles have in common that are the same but for case, width of letters and space.
pub(super) fn key(title: &str) -> String {
    // Not all databases take NUL; no title holds control characters.
    let lower: String = title.nfkc().filter(|c| !c.is_control() || c.is_whitespace()).collect();
    lower.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name in the form of slugs: letters and digits in lower case, `-` for all between them, `/` between folders. Empty if
/// there is no letter or digit. What has the form already stays as it is.
///
/// ```
/// use tool_std::memory::slug_of;
///
/// assert_eq!(slug_of("Notes/What fires?"), "notes/what-fires");
/// ```
#[must_use]
pub fn slug_of(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in name.nfc().flat_map(char::to_lowercase) {
        match c {
            // It may be half of a letter that has no whole form.
            c if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) => slug.push(c),
            '/' | '\\' => {
                let end = slug.trim_end_matches('-').len();
                slug.truncate(end);
                if !slug.is_empty() && !slug.ends_with('/') {
                    slug.push('/');
                }
            }
            _ if !slug.is_empty() && !slug.ends_with(['-', '/']) => slug.push('-'),
            _ => {}
        }
    }
    let end = slug.trim_end_matches(['-', '/']).len();
    slug.truncate(end);
    slug
}

/// The last part of a slug: its name within its folder.
pub(super) fn last(slug: &str) -> &str {
    slug.rsplit('/').next().unwrap_or(slug)
}

/// Refuses a text with a NUL, which no text has and not every database takes.
pub(super) fn check_text(what: &str, text: &str) -> Result<(), MemoryError> {
    match text.find('\0') {
        Some(at) => Err(MemoryError::invalid(format!(
            "{what} holds a NUL character at byte {at}, so it is no text; take it out"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_slug_is_made_of_any_name() {
        for (name, expected) in [
            ("What Fires?", "what-fires"),
            ("docs/Jobs & more.md", "docs/jobs-more-md"),
            ("../../etc/passwd", "etc/passwd"),
            (r"C:\temp\x", "c/temp/x"),
            ("//a//-b-//", "a/b"),
            ("a - / - b", "a/b"),
            ("e\u{301}te\u{301}", "\u{e9}t\u{e9}"),
            ("メモリ", "メモリ"),
            ("\u{1f389} \"*-", ""),
            ("a\u{0}b", "a-b"),
        ] {
            assert_eq!(slug_of(name), expected, "{name:?}");
        }
    }

    #[test]
    fn titles_are_compared_without_case_width_and_space() {
        assert_eq!(key("  ÜBER\t Ｒｕｓｔ "), key("über rust"));
        assert_ne!(key("a b"), key("ab"));
        assert_eq!(key("a\u{0}\u{7}b"), "ab");
    }

    proptest! {
        #[test]
        fn a_slug_stays_as_it_is(name in any::<String>()) {
            let once = slug_of(&name);
            prop_assert_eq!(slug_of(&once), once.clone());
            prop_assert!(!once.starts_with('/') && !once.contains("//") && !once.contains('\0'));
        }
    }
}
