//! What may stand between two tokens.

use super::{Cursor, Expect, Notes, Part, Stop};

/// Something that is no token.
struct Between {
    /// `None` for what JSON itself has.
    name: Option<&'static str>,
    take: fn(&mut Cursor<'_>, Expect) -> Taken,
}

enum Taken {
    /// It does not stand here.
    No,
    Space,
    Comment,
    /// The text ends inside of it.
    Cut,
}

/// Tried in order, again and again.
const SPACES: &[Between] = &[
    Between { name: None, take: json_space },
    Between { name: Some("unusual_space"), take: unusual_space },
    Between { name: Some("literal_line_break"), take: literal_line_break },
];

/// Tried where no space stands. Only inside of the object: in prose `//` is the middle of an address.
const COMMENTS: &[Between] = &[
    Between { name: Some("comment"), take: line_comment },
    Between { name: Some("comment"), take: hash_comment },
    Between { name: Some("comment"), take: block_comment },
];

/// Goes on to the next token; gives whether only white space was skipped.
pub(super) fn skip(cursor: &mut Cursor<'_>, expect: Expect, notes: &mut Notes) -> Result<bool, Stop> {
    let mut only_space = true;
    if cursor.peek().is_some_and(begins_token) {
        return Ok(only_space);
    }
    while let Some((row, taken)) = take_one(SPACES.iter().chain(COMMENTS), cursor, expect) {
        match taken {
            Taken::Cut => return Err(Stop::Cut(Part::Between { only_space: false })),
            Taken::Comment => only_space = false,
            Taken::Space | Taken::No => {}
        }
        if let Some(name) = row.name {
            notes.repaired(name);
        }
    }
    Ok(only_space)
}

/// Whether nothing of the above begins like this, since a token of JSON does, as mostly.
fn begins_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '"' | ':' | ',' | '{' | '}' | '[' | ']')
}

/// Skips white space of all kinds.
pub(in crate::arguments) fn skip_space(cursor: &mut Cursor<'_>, notes: &mut Notes) {
    let mut after = cursor.clone();
    while let Some((row, Taken::Space)) = take_one(SPACES.iter(), &mut after, Expect::KeyOrEnd) {
        *cursor = after.clone();
        if let Some(name) = row.name {
            notes.repaired(name);
        }
    }
}

/// Whether there is nothing but white space.
pub(in crate::arguments) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

fn take_one(
    rows: impl Iterator<Item = &'static Between>,
    cursor: &mut Cursor<'_>,
    expect: Expect,
) -> Option<(&'static Between, Taken)> {
    for row in rows {
        let mut after = cursor.clone();
        match (row.take)(&mut after, expect) {
            Taken::No => {}
            taken => {
                *cursor = after;
                return Some((row, taken));
            }
        }
    }
    None
}

fn json_space(cursor: &mut Cursor<'_>, _: Expect) -> Taken {
    take_while(cursor, |character| matches!(character, ' ' | '\t' | '\n' | '\r'))
}

/// White space of other scripts and editors, and marks that show nothing.
fn unusual_space(cursor: &mut Cursor<'_>, _: Expect) -> Taken {
    take_while(cursor, is_space)
}

/// A line break written as the two characters of its escape.
fn literal_line_break(cursor: &mut Cursor<'_>, _: Expect) -> Taken {
    if !cursor.eat('\\') {
        return Taken::No;
    }
    match cursor.bump() {
        Some('n' | 'r' | 't') => Taken::Space,
        Some(_) => Taken::No,
        None => Taken::Cut,
    }
}

/// `// so`, up to the end of the line.
fn line_comment(cursor: &mut Cursor<'_>, expect: Expect) -> Taken {
    if cursor.rest() == "/" {
        return Taken::Cut;
    }
    let addresses = matches!(expect, Expect::Value | Expect::ItemOrEnd | Expect::Item);
    if !cursor.eat_all("//") || addresses && cursor.peek().is_some_and(char::is_alphanumeric) {
        // `//host/path` where a value belongs may be the value.
        return Taken::No;
    }
    rest_of_line(cursor)
}

/// `# so`, up to the end of the line. Without the space it may be a colour or an anchor.
fn hash_comment(cursor: &mut Cursor<'_>, _: Expect) -> Taken {
    if !cursor.eat('#') || cursor.peek().is_some_and(|character| !character.is_whitespace()) {
        return Taken::No;
    }
    rest_of_line(cursor)
}

/// `/* so */`.
fn block_comment(cursor: &mut Cursor<'_>, _: Expect) -> Taken {
    if !cursor.eat_all("/*") {
        return Taken::No;
    }
    loop {
        cursor.take_up_to(|character| character == '*');
        match (cursor.bump(), cursor.eat('/')) {
            (None, _) => return Taken::Cut,
            (_, true) => return Taken::Comment,
            _ => {}
        }
    }
}

fn rest_of_line(cursor: &mut Cursor<'_>) -> Taken {
    cursor.take_up_to(|character| matches!(character, '\n' | '\r'));
    if cursor.peek().is_none() { Taken::Cut } else { Taken::Comment }
}

fn take_while(cursor: &mut Cursor<'_>, belongs: impl Fn(char) -> bool) -> Taken {
    let length = cursor.rest().len();
    cursor.take_up_to(|character| !belongs(character));
    if cursor.rest().len() < length { Taken::Space } else { Taken::No }
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}
