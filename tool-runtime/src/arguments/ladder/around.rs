//! What may stand around the object: wrapping, prose, brackets too many. What looks like a part of the data is refused.

use crate::arguments::lenient::{self, Cursor, Notes};

/// Characters of the longest tag or template mark.
const MAX_MARK: usize = 200;

/// A kind of wrapping.
struct Wrapping {
    name: &'static str,
    /// Takes it off, if it stands here.
    take: fn(&mut Cursor<'_>) -> bool,
}

/// Tried in order.
const WRAPPINGS: &[Wrapping] = &[
    Wrapping { name: "fence", take: fence },
    Wrapping { name: "template_mark", take: template_mark },
    Wrapping { name: "tag", take: tag },
];

/// What stood so far around the objects of a text.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// Lists that prose opened, as in `[call]`.
    lists: usize,
    place: Place,
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
    /// Reads what stands between two objects, before the first or after the last.
    pub(super) fn read(&mut self, mut text: Cursor<'_>, notes: &mut Notes) -> Result<(), String> {
        loop {
            lenient::skip_space(&mut text, notes);
            let Some(next) = text.peek() else { return Ok(()) };
            match (next, self.place) {
                (']', _) if self.lists > 0 => {
                    self.lists -= 1;
                    text.bump();
                }
                ('}' | ']', Place::BehindObject | Place::BehindComma) => {
                    if notes.doubled_brackets.contains(&next) {
                        notes.doubtful(format!("a `{next}` is too many, and it is unclear which"));
                    }
                    notes.repaired("surplus_bracket");
                    text.bump();
                }
                ('}' | ']', Place::Prose) => {
                    return Err(format!(
                        "a `{next}` stands outside of the object, so it is unclear where the object ends"
                    ));
                }
                (',', Place::BehindObject) => {
                    notes.repaired("trailing_comma");
                    self.place = Place::BehindComma;
                    text.bump();
                }
                _ => match WRAPPINGS.iter().find(|wrapping| takes(wrapping, &mut text)) {
                    Some(wrapping) => notes.repaired(wrapping.name),
                    None => self.prose(&mut text, notes)?,
                },
            }
        }
    }

    /// A word of prose.
    pub(super) fn word(&mut self, notes: &mut Notes) -> Result<(), String> {
        if self.place == Place::BehindComma {
            return Err("after the object comes a comma and then no object".to_owned());
        }
        self.place = Place::Prose;
        notes.repaired("prose");
        Ok(())
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

    fn prose(&mut self, text: &mut Cursor<'_>, notes: &mut Notes) -> Result<(), String> {
        self.word(notes)?;
        match text.bump() {
            Some('[') => self.lists += 1,
            Some(quote) if lenient::is_quote(quote) => {
                lenient::skip_space(text, notes);
                if text.peek() == Some(':') {
                    return Err("a key with its colon stands outside of the object".to_owned());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn takes(wrapping: &Wrapping, text: &mut Cursor<'_>) -> bool {
    let mut after = text.clone();
    let taken = (wrapping.take)(&mut after);
    if taken {
        *text = after;
    }
    taken
}

/// Three or more backticks or tildes, with the name of a language.
fn fence(text: &mut Cursor<'_>) -> bool {
    let Some(mark @ ('`' | '~')) = text.peek() else { return false };
    let mut length = 0_usize;
    while text.eat(mark) {
        length += 1;
    }
    if length < 3 {
        return false;
    }
    while text.peek().is_some_and(|character| character.is_alphanumeric() || "_+-.#".contains(character)) {
        text.bump();
    }
    true
}

/// A mark of a chat template, such as `<|im_end|>`.
fn template_mark(text: &mut Cursor<'_>) -> bool {
    const BARS: [char; 2] = ['|', '\u{ff5c}'];
    if !text.eat('<') || !text.bump().is_some_and(|bar| BARS.contains(&bar)) {
        return false;
    }
    let mut last = ' ';
    for _ in 0..MAX_MARK {
        match text.bump() {
            Some('>') => return BARS.contains(&last),
            Some('<' | '\n') | None => return false,
            Some(character) => last = character,
        }
    }
    false
}

/// `<name>`, `</name>` or `<name key="value">`.
fn tag(text: &mut Cursor<'_>) -> bool {
    if !text.eat('<') {
        return false;
    }
    text.eat('/');
    if !text.peek().is_some_and(char::is_alphabetic) {
        return false;
    }
    for _ in 0..MAX_MARK {
        match text.bump() {
            Some('>') => return true,
            Some('<' | '\n') | None => return false,
            Some(_) => {}
        }
    }
    false
}
