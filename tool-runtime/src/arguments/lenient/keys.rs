//! Keys, in quotes or bare.

use super::{
    Cursor, Notes, Part, Stop,
    strings::{Place, is_quote, read_text},
    structure::shorten,
};

/// A way to write a key.
struct KeyForm {
    /// `None` for texts, which name their repairs themselves.
    name: Option<&'static str>,
    /// `None` if it is not written in this way.
    read: fn(&mut Cursor<'_>, &mut Notes) -> Option<Result<String, Stop>>,
}

/// Tried in order.
const KEYS: &[KeyForm] = &[
    // In quotes of any kind.
    KeyForm { name: None, read: quoted_key },
    KeyForm { name: Some("bare_key"), read: bare_key },
];

pub(super) fn starts_key(character: char) -> bool {
    is_quote(character) || character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Reads a key, in quotes or bare.
pub(super) fn read_key(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<String, Stop> {
    for form in KEYS {
        if let Some(key) = (form.read)(cursor, notes) {
            if let (Ok(_), Some(name)) = (&key, form.name) {
                notes.repaired(name);
            }
            return key;
        }
    }
    Err(Stop::Broken(format!("`{}` stands where a key in double quotes belongs", shorten(cursor.rest()))))
}

fn quoted_key(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Option<Result<String, Stop>> {
    let is_quoted = cursor.peek().is_some_and(is_quote);
    is_quoted.then(|| read_text(cursor, Place::Key, notes).map(|text| text.content))
}

fn bare_key(cursor: &mut Cursor<'_>, _: &mut Notes) -> Option<Result<String, Stop>> {
    let key = take_bare_key(cursor);
    if cursor.peek().is_none() {
        return Some(Err(Stop::Cut(Part::Key(key.chars().count()))));
    }
    Some(Ok(key.to_owned()))
}

pub(super) fn take_bare_key<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    cursor
        .take_up_to(|character| !(character.is_alphanumeric() || matches!(character, '_' | '$' | '-' | '.')))
        .rest()
}
