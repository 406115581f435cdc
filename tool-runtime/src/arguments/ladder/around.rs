//! What may stand around the object: wrapping, prose, brackets too many. What looks like a part of the data is refused.

use serde::de::IgnoredAny;

use crate::arguments::lenient::{self, Cursor, Notes};

/// Characters of the longest tag or template mark.
const MAX_MARK: usize = 200;

/// Characters of the longest `{word}` in prose that is not taken for an object.
const MAX_PLACEHOLDER: usize = 80;

/// Something that may stand outside of the objects.
struct Piece {
    name: &'static str,
    /// Takes it off, if it stands here and may.
    take: fn(&mut Around, &mut Cursor<'_>, &mut Notes) -> Result<bool, String>,
}

/// Tried in order.
const PIECES: &[Piece] = &[
    Piece { name: "surplus_bracket", take: surplus_bracket },
    Piece { name: "trailing_comma", take: comma_behind_object },
    Piece { name: "fence", take: fence },
    Piece { name: "template_mark", take: template_mark },
    Piece { name: "tag", take: tag },
    Piece { name: "prose", take: prose },
];

/// Tried where an opening brace begins no object.
const IN_BRACES: &[Piece] = &[Piece { name: "prose", take: placeholder }];

/// What stood so far around the objects of a text.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// Lists that prose opened, as in `[call]`.
    lists: usize,
    place: Place,
    /// Nothing is taken for prose.
    only_wrapping: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// No object yet, or prose since the last one.
    #[default]
    Prose,
    /// Only brackets and marks since the last object.
    BehindObject,
    /// A comma behind an object.
    BehindComma,
}

impl Around {
    /// For a text in which nothing is prose.
    pub(super) fn without_prose() -> Self {
        Self { only_wrapping: true, ..Self::default() }
    }

    /// Reads what stands between two objects, before the first or after the last.
    pub(super) fn read(&mut self, mut text: Cursor<'_>, notes: &mut Notes) -> Result<(), String> {
        loop {
            lenient::skip_space(&mut text, notes);
            if text.peek().is_none() {
                return Ok(());
            }
            if !self.take_one(PIECES, &mut text, notes)? {
                return Err(format!("`{}` stands outside of the object", lenient::shorten(text.rest())));
            }
        }
    }

    /// Goes over braces that hold no object, if they may be left out.
    pub(super) fn skip_braces(&mut self, text: &mut Cursor<'_>, notes: &mut Notes) -> Result<bool, String> {
        self.take_one(IN_BRACES, text, notes)
    }

    /// Whether there are marks and nothing else.
    pub(super) fn are_marks(text: &str) -> bool {
        let nothing = lenient::is_blank(text);
        !nothing && Self::without_prose().read(Cursor::new(text), &mut Notes::default()).is_ok()
    }

    /// Whether there is nothing behind an object but brackets and marks.
    pub(super) fn is_wrapping(text: &str) -> bool {
        let mut around = Self { place: Place::BehindObject, ..Self::without_prose() };
        around.read(Cursor::new(text), &mut Notes::default()).is_ok()
    }

    fn take_one(
        &mut self,
        pieces: &[Piece],
        text: &mut Cursor<'_>,
        notes: &mut Notes,
    ) -> Result<bool, String> {
        for piece in pieces {
            let mut after = text.clone();
            if (piece.take)(self, &mut after, notes)? {
                *text = after;
                notes.repaired(piece.name);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// An object begins here.
    pub(super) fn begin_object(&self) -> Result<(), String> {
        if self.lists > 0 {
            return Err(
                "the object stands inside a list, and the arguments of a call are one object".to_owned()
            );
        }
        Ok(())
    }

    /// The object ends here.
    pub(super) fn end_object(&mut self) {
        self.place = Place::BehindObject;
    }

    /// A word of prose stands here.
    fn word(&mut self) -> Result<(), String> {
        if self.only_wrapping {
            return Err("words stand around it".to_owned());
        }
        if self.place == Place::BehindComma {
            return Err("after the object comes a comma and then no object".to_owned());
        }
        self.place = Place::Prose;
        Ok(())
    }
}

/// A bracket that closes more than was open.
fn surplus_bracket(around: &mut Around, text: &mut Cursor<'_>, notes: &mut Notes) -> Result<bool, String> {
    let Some(bracket @ ('}' | ']')) = text.bump() else { return Ok(false) };
    if around.place == Place::Prose {
        return Ok(false);
    }
    if notes.doubled_brackets.contains(&bracket) {
        notes.doubtful(format!("a `{bracket}` is too many, and it is unclear which"));
    }
    Ok(true)
}

fn comma_behind_object(around: &mut Around, text: &mut Cursor<'_>, _: &mut Notes) -> Result<bool, String> {
    if around.place != Place::BehindObject || !text.eat(',') {
        return Ok(false);
    }
    around.place = Place::BehindComma;
    Ok(true)
}

/// A word, or a part of one.
fn prose(around: &mut Around, text: &mut Cursor<'_>, notes: &mut Notes) -> Result<bool, String> {
    around.word()?;
    if holds_data(text.rest()) {
        return Err("a list stands beside the object, and the arguments of a call are one object".to_owned());
    }
    match text.bump() {
        Some('[') => around.lists += 1,
        Some(']') if around.lists > 0 => around.lists -= 1,
        Some(bracket @ ('}' | ']')) => {
            return Err(format!(
                "a `{bracket}` stands outside of the object, so it is unclear where the object ends"
            ));
        }
        Some(quote) if lenient::is_quote(quote) => {
            lenient::skip_space(text, notes);
            if text.peek() == Some(':') {
                return Err("a key with its colon stands outside of the object".to_owned());
            }
        }
        _ => {}
    }
    Ok(true)
}

/// Whether a list of JSON stands here that says something; `[1]` is a note and `[ ]` a box to tick.
fn holds_data(text: &str) -> bool {
    if !text.starts_with('[') {
        return false;
    }
    let mut lists = serde_json::Deserializer::from_str(text).into_iter::<Vec<IgnoredAny>>();
    let is_list = matches!(lists.next(), Some(Ok(_)));
    let list = text.get(1..lists.byte_offset().saturating_sub(1)).unwrap_or_default();
    is_list && !list.trim().chars().all(|character| character.is_ascii_digit())
}

/// Braces in prose, such as `{name}` or `{{name}}`: a few characters that hold nothing of an object.
fn placeholder(around: &mut Around, text: &mut Cursor<'_>, _: &mut Notes) -> Result<bool, String> {
    let mut depth = 0_usize;
    let mut closing = false;
    for _ in 0..MAX_PLACEHOLDER {
        match text.bump() {
            Some('{') if !closing => depth += 1,
            Some('}') => {
                closing = true;
                depth -= 1;
                if depth == 0 {
                    around.word()?;
                    return Ok(true);
                }
            }
            Some('{' | '[' | ']' | ':' | '\n' | '\\' | '/' | '#') | None => return Ok(false),
            Some(quote) if lenient::is_quote(quote) => return Ok(false),
            Some(_) if closing => return Ok(false),
            Some(_) => {}
        }
    }
    Ok(false)
}

/// Three or more backticks or tildes, with the name of a language.
fn fence(_: &mut Around, text: &mut Cursor<'_>, _: &mut Notes) -> Result<bool, String> {
    let Some(mark @ ('`' | '~')) = text.peek() else { return Ok(false) };
    let mut length = 0_usize;
    while text.eat(mark) {
        length += 1;
    }
    if length < 3 {
        return Ok(false);
    }
    while text.peek().is_some_and(|character| character.is_alphanumeric() || "_+-.#".contains(character)) {
        text.bump();
    }
    Ok(true)
}

/// A mark of a chat template, such as `<|im_end|>`.
fn template_mark(_: &mut Around, text: &mut Cursor<'_>, _: &mut Notes) -> Result<bool, String> {
    const BARS: [char; 2] = ['|', '\u{ff5c}'];
    if !text.eat('<') || !text.bump().is_some_and(|bar| BARS.contains(&bar)) {
        return Ok(false);
    }
    let mut last = ' ';
    for _ in 0..MAX_MARK {
        match text.bump() {
            Some('>') => return Ok(BARS.contains(&last)),
            Some('<' | '\n') | None => return Ok(false),
            Some(character) => last = character,
        }
    }
    Ok(false)
}

/// `<name>`, `</name>` or `<name key="value">`.
fn tag(_: &mut Around, text: &mut Cursor<'_>, _: &mut Notes) -> Result<bool, String> {
    if !text.eat('<') {
        return Ok(false);
    }
    text.eat('/');
    if !text.peek().is_some_and(char::is_alphabetic) {
        return Ok(false);
    }
    for _ in 0..MAX_MARK {
        match text.bump() {
            Some('>') => return Ok(true),
            Some('<' | '\n') | None => return Ok(false),
            Some(_) => {}
        }
    }
    Ok(false)
}
