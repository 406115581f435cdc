//! What a backslash means inside a text.

use super::{Cursor, strings::Delimiter};

/// What stood behind a backslash.
pub(super) enum Escape {
    /// Not of the kind that was looked for.
    No,
    Character(char),
    /// `\b`, `\f`, `\n`, `\r` or `\t`.
    Control(char),
    /// The backslash is one; what follows it is still to be read.
    Backslash,
    /// The text ends inside of it.
    Cut,
    /// Half of a surrogate pair.
    LoneSurrogate,
}

struct Form {
    /// `None` for what JSON has, and for what belongs to the delimiter.
    name: Option<&'static str>,
    read: fn(&mut Cursor<'_>, &Delimiter) -> Escape,
}

/// Tried in order.
const FORMS: &[Form] = &[
    Form { name: None, read: json_escape },
    Form { name: None, read: delimiter_escape },
    Form { name: Some("kept_backslash"), read: kept_backslash },
];

/// Reads what stands behind a backslash, and gives the name of the repair that it took.
pub(super) fn read(cursor: &mut Cursor<'_>, delimiter: &Delimiter) -> (Escape, Option<&'static str>) {
    for form in FORMS {
        let mut after = cursor.clone();
        match (form.read)(&mut after, delimiter) {
            Escape::No => {}
            escape => {
                *cursor = after;
                return (escape, form.name);
            }
        }
    }
    (Escape::Cut, None)
}

fn json_escape(cursor: &mut Cursor<'_>, _: &Delimiter) -> Escape {
    match cursor.bump() {
        None => Escape::Cut,
        Some(plain @ ('"' | '\\' | '/')) => Escape::Character(plain),
        Some('b') => Escape::Control('\u{8}'),
        Some('f') => Escape::Control('\u{c}'),
        Some('n') => Escape::Control('\n'),
        Some('r') => Escape::Control('\r'),
        Some('t') => Escape::Control('\t'),
        Some('u') => unicode_escape(cursor),
        Some(_) => Escape::No,
    }
}

/// `\'` in a text in single quotes, and the like.
fn delimiter_escape(cursor: &mut Cursor<'_>, delimiter: &Delimiter) -> Escape {
    match cursor.bump() {
        Some(quote) if delimiter.closes(quote) => Escape::Character(quote),
        _ => Escape::No,
    }
}

/// An escape that JSON lacks: its backslash is one.
fn kept_backslash(_: &mut Cursor<'_>, _: &Delimiter) -> Escape {
    Escape::Backslash
}

fn unicode_escape(cursor: &mut Cursor<'_>) -> Escape {
    let first = match hex(cursor) {
        Ok(code) => code,
        Err(escape) => return escape,
    };
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first).map_or(Escape::LoneSurrogate, Escape::Character);
    }
    for expected in ['\\', 'u'] {
        match cursor.bump() {
            None => return Escape::Cut,
            Some(found) if found == expected => {}
            Some(_) => return Escape::LoneSurrogate,
        }
    }
    match hex(cursor) {
        Ok(second) if (0xdc00..0xe000).contains(&second) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            char::from_u32(code).map_or(Escape::LoneSurrogate, Escape::Character)
        }
        Err(Escape::Cut) => Escape::Cut,
        Ok(_) | Err(_) => Escape::LoneSurrogate,
    }
}

/// Four hex digits.
fn hex(cursor: &mut Cursor<'_>) -> Result<u32, Escape> {
    let mut code = 0;
    for _ in 0..4 {
        let digit = cursor.bump().ok_or(Escape::Cut)?;
        code = code * 16 + digit.to_digit(16).ok_or(Escape::No)?;
    }
    Ok(code)
}
