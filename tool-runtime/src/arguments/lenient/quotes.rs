//! Whether a quote ends the text that it stands in, or belongs to it.

use super::{
    Cursor, Expect, Notes, between, is_quote,
    keys::take_bare_key,
    scalars,
    strings::{Delimiter, Place},
};

/// Characters that are looked at to see whether a key and its colon follow.
const MAX_LOOK: usize = 128;

pub(super) enum Verdict {
    Ends,
    /// It cannot end the text, since neither a comma nor a bracket nor a colon follows.
    Inside,
    /// There is a second reading; why.
    Doubtful(&'static str),
}

/// The quotes inside a text that were not escaped.
#[derive(Debug, Default)]
pub(super) struct InnerQuotes {
    any: bool,
    /// Those that opened something that is still to be closed.
    open: usize,
}

impl InnerQuotes {
    pub(super) fn any(&self) -> bool {
        self.any
    }

    pub(super) fn one_is_open(&self) -> bool {
        self.open > 0
    }

    pub(super) fn open(&mut self) {
        self.open += 1;
    }

    /// Adds a quote between the content so far and the next character.
    pub(super) fn add(&mut self, content: &str, next: Option<char>) {
        self.any = true;
        let before = content.chars().next_back();
        let space_before = before.is_none_or(char::is_whitespace);
        let space_behind = next.is_none_or(char::is_whitespace);
        let word_before = before.is_some_and(char::is_alphanumeric);
        let word_behind = next.is_some_and(char::is_alphanumeric);
        if space_before && !space_behind {
            self.open += 1;
        } else if self.open > 0 && !word_behind {
            self.open -= 1;
        } else if space_before || !word_before && !space_behind {
            self.open += 1;
        }
    }
}

/// Judges the quote behind which the cursor stands.
pub(super) fn judge(
    cursor: &Cursor<'_>,
    place: Place,
    delimiter: &Delimiter,
    content: &str,
    inner: &InnerQuotes,
) -> Verdict {
    if ends_here(&mut cursor.clone()) {
        return Verdict::Ends;
    }
    // No further than the next quote that could end the text, so that all looks together cost no more than the text.
    let mut beyond = cursor.clone();
    let near = beyond.take_up_to(|character| delimiter.closes(character));
    let mut look = near.clone();
    if between::skip(&mut look, Expect::CommaOrEnd, &mut Notes::default()).is_err() {
        return match beyond.peek() {
            None => Verdict::Ends,
            Some(_) => Verdict::Doubtful(
                "a comment with quotes follows a quote, so it is unclear where the text ends",
            ),
        };
    }
    match look.peek() {
        Some(next) if ends_text(next) => Verdict::Ends,
        _ if follows_syntax(content, place, inner) => Verdict::Doubtful(
            "a quote follows a bracket or comma, so it is unclear whether a text ends or begins there",
        ),
        Some(next) if is_quote(next) => {
            let skipped = near.rest().len() - look.rest().len();
            beside_quote(&Cursor::new(cursor.rest().get(skipped..).unwrap_or_default()), place)
        }
        Some(_) => beside_word(&look, &near, place, content),
        None if beyond.peek().is_none() => Verdict::Ends,
        None if near.rest().is_empty() && inner.one_is_open() && ends_text_before(beyond.clone()) => {
            Verdict::Inside
        }
        None => beside_quote(&beyond, place),
    }
}

/// Another quote follows.
fn beside_quote(look: &Cursor<'_>, place: Place) -> Verdict {
    match key_follows(look.clone()) {
        Follows::Yes if place == Place::Member => Verdict::Ends,
        Follows::Perhaps if place == Place::Member && !ends_text_before(look.clone()) => Verdict::Ends,
        _ => Verdict::Doubtful("two quotes follow each other, so it is unclear where the text ends"),
    }
}

/// Something else follows that cannot stand behind a text.
fn beside_word(look: &Cursor<'_>, near: &Cursor<'_>, place: Place, content: &str) -> Verdict {
    if place == Place::Key && near.rest().contains(['{', '}', '[', ']', ',', ':', '\n']) {
        // The colon was forgotten, and there is no later quote of this key.
        return Verdict::Ends;
    }
    if content.is_empty() {
        return Verdict::Doubtful("a text begins with two quotes, so it is unclear where it ends");
    }
    if place == Place::Key
        && !(content.ends_with(char::is_alphanumeric) && near.rest().starts_with(char::is_alphanumeric))
    {
        return Verdict::Doubtful("a key holds a quote, so it is unclear where it ends");
    }
    if place == Place::Item && item_follows(look.clone()) {
        return Verdict::Doubtful(
            "a quote or a comma is missing in a list, so it is unclear where an item ends",
        );
    }
    if place == Place::Member && bare_key_follows(look.clone()) {
        return Verdict::Doubtful(
            "a bare key or more of the text follows a quote, so it is unclear where the text ends",
        );
    }
    Verdict::Inside
}

/// Whether what stands before a quote could stand between two texts, so that the quote may be the beginning of one.
fn follows_syntax(content: &str, place: Place, inner: &InnerQuotes) -> bool {
    let before = content.trim_end();
    // After the first quote inside it is no longer all syntax.
    let all_syntax = || !inner.any() && before.chars().all(|character| ",:[]{}".contains(character));
    before.ends_with(['[', '{'])
        || place == Place::Item && before.ends_with(',')
        || !before.is_empty() && all_syntax()
}

/// Whether a comma, bracket or colon follows, or the end.
fn ends_here(cursor: &mut Cursor<'_>) -> bool {
    cursor.take_up_to(|character| !character.is_whitespace());
    cursor.peek().is_none_or(ends_text)
}

fn ends_text(character: char) -> bool {
    matches!(character, ',' | '}' | ']' | ':')
}

/// Whether a comma, bracket or colon follows the quote that stands here.
fn ends_text_before(mut cursor: Cursor<'_>) -> bool {
    cursor.bump();
    ends_here(&mut cursor) && cursor.peek().is_some()
}

enum Follows {
    Yes,
    No,
    /// The text ends before it shows.
    Perhaps,
}

/// Whether a key in quotes and its colon stand here.
fn key_follows(mut cursor: Cursor<'_>) -> Follows {
    let Some(delimiter) = cursor.bump().and_then(Delimiter::opened_by) else { return Follows::No };
    let mut closed = false;
    for _ in 0..MAX_LOOK {
        match cursor.bump() {
            None => return Follows::Perhaps,
            Some(':') if closed => return Follows::Yes,
            Some(character) if closed && !character.is_whitespace() => return Follows::No,
            Some('\\') if !closed => {
                cursor.bump();
            }
            Some(character) if delimiter.closes(character) => closed = true,
            Some(_) => {}
        }
    }
    Follows::No
}

/// Whether a bare key and its colon stand here.
fn bare_key_follows(mut cursor: Cursor<'_>) -> bool {
    let key = take_bare_key(&mut cursor);
    cursor.take_up_to(|character| !character.is_whitespace());
    !key.is_empty() && cursor.peek() == Some(':')
}

/// Whether a number or word that is an item of its own stands here.
fn item_follows(mut cursor: Cursor<'_>) -> bool {
    let item = scalars::read(&mut cursor, &mut Notes::default()).is_ok();
    item && ends_here(&mut cursor)
}
