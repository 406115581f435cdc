//! Texts and keys, with their quotes.

use super::{
    Cursor, Notes, Part, Stop,
    escapes::{self, Escape},
    quotes::{self, InnerQuotes, Verdict},
};

/// A kind of quotes.
pub(super) struct Delimiter {
    opener: char,
    closers: &'static [char],
    /// `None` for the quotes of JSON.
    name: Option<&'static str>,
}

/// The quotes that a text may stand in.
const DELIMITERS: &[Delimiter] = &[
    Delimiter { opener: '"', closers: &['"'], name: None },
    Delimiter { opener: '\'', closers: &['\''], name: Some("single_quotes") },
    Delimiter { opener: '“', closers: &['”'], name: Some("curly_quotes") },
    Delimiter { opener: '”', closers: &['”'], name: Some("curly_quotes") },
    Delimiter { opener: '„', closers: &['“', '”'], name: Some("curly_quotes") },
    Delimiter { opener: '‘', closers: &['’'], name: Some("curly_quotes") },
    Delimiter { opener: '’', closers: &['’'], name: Some("curly_quotes") },
    Delimiter { opener: '‚', closers: &['‘', '’'], name: Some("curly_quotes") },
];

impl Delimiter {
    pub(super) fn opened_by(quote: char) -> Option<&'static Self> {
        DELIMITERS.iter().find(|delimiter| delimiter.opener == quote)
    }

    pub(super) fn closes(&self, character: char) -> bool {
        self.closers.contains(&character)
    }

    /// A quote of this kind that can only open.
    fn only_opens(&self, character: char) -> bool {
        character == self.opener && !self.closes(character)
    }

    /// The quotes of Python, whose escapes are more than those of JSON.
    fn is_python(&self) -> bool {
        self.opener == '\''
    }
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    /// The value of a member.
    Member,
    /// An item of a list.
    Item,
    /// It is all there is.
    Alone,
}

pub(super) struct Text {
    pub(super) content: String,
    /// It holds quotes that were not escaped.
    pub(super) inner_quotes: bool,
}

pub(in crate::arguments) fn is_quote(character: char) -> bool {
    Delimiter::opened_by(character).is_some()
}

pub(super) fn starts_key(character: char) -> bool {
    is_quote(character) || character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Reads a key, in quotes or bare.
pub(super) fn read_key(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<String, Stop> {
    if cursor.peek().is_some_and(is_quote) {
        return Ok(read_text(cursor, Place::Key, notes)?.content);
    }
    let key = take_bare_key(cursor);
    if cursor.peek().is_none() {
        return Err(Stop::Cut(Part::Key(key.chars().count())));
    }
    notes.repaired("bare_key");
    Ok(key.to_owned())
}

pub(super) fn take_bare_key<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    cursor
        .take_up_to(|character| !(character.is_alphanumeric() || matches!(character, '_' | '$' | '-' | '.')))
        .rest()
}

/// Reads the text at whose opening quote the cursor stands.
pub(super) fn read_text(cursor: &mut Cursor<'_>, place: Place, notes: &mut Notes) -> Result<Text, Stop> {
    let Some(delimiter) = cursor.bump().and_then(Delimiter::opened_by) else {
        return Err(Stop::Broken("a quote is missing".to_owned()));
    };
    if let Some(name) = delimiter.name {
        notes.repaired(name);
    }
    let mut content = String::new();
    let mut inner = InnerQuotes::default();
    let mut backslashes = Backslashes::default();
    loop {
        let Some(character) = cursor.bump() else { return Err(cut(place, &content)) };
        if character == '\\' {
            backslashes.read(cursor, delimiter, &mut content, notes).map_err(|stop| match stop {
                Some(why) => Stop::Broken(why),
                None => cut(place, &content),
            })?;
        } else if delimiter.closes(character) {
            match quotes::judge(cursor, place, delimiter, &content, &inner) {
                Verdict::Ends => break,
                Verdict::Inside => {}
                Verdict::Doubtful(why) => notes.doubtful(why),
            }
            notes.repaired("inner_quote");
            inner.add(&content, cursor.peek());
            content.push(character);
        } else {
            if character < ' ' {
                notes.repaired("raw_control");
            }
            if delimiter.only_opens(character) {
                inner.open();
            }
            content.push(character);
        }
    }
    if inner.one_is_open() {
        notes.doubtful("a quote inside a text may be the end of it; write quotes inside a text as `\\\"`");
    }
    backslashes.finish(notes);
    Ok(Text { content, inner_quotes: inner.any() })
}

/// A text in double quotes that is all there is, with the repairs that it took; none but raw line breaks and the like.
pub(in crate::arguments) fn whole_string(text: &str) -> Option<(String, Vec<&'static str>)> {
    let text = text.trim();
    if !text.starts_with('"') {
        return None;
    }
    let mut cursor = Cursor::new(text);
    let mut notes = Notes::default();
    let read = read_text(&mut cursor, Place::Alone, &mut notes).ok()?;
    let harmless = notes.doubt.is_none() && notes.used.iter().all(|name| *name == "raw_control");
    (harmless && cursor.peek().is_none()).then_some((read.content, notes.used))
}

fn cut(place: Place, content: &str) -> Stop {
    let arrived = content.chars().count();
    Stop::Cut(if place == Place::Key { Part::Key(arrived) } else { Part::Scalar(arrived) })
}

/// The backslashes of one text.
#[derive(Debug, Default)]
struct Backslashes {
    /// An escape that JSON lacks.
    kept: bool,
    /// A legal `\b`, `\f`, `\n`, `\r` or `\t`.
    control: bool,
}

impl Backslashes {
    /// Reads what stands behind a backslash. The error is a reason, or nothing if the text ends there.
    fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        delimiter: &Delimiter,
        content: &mut String,
        notes: &mut Notes,
    ) -> Result<(), Option<String>> {
        let next = cursor.peek();
        let (escape, name) = escapes::read(cursor, delimiter);
        if let Some(name) = name {
            notes.repaired(name);
        }
        match escape {
            Escape::Character(character) => content.push(character),
            Escape::Control(character) => {
                self.control = true;
                content.push(character);
            }
            Escape::Backslash => {
                if delimiter.is_python() && next.is_some_and(|next| "xNUav01234567\n".contains(next)) {
                    notes
                        .doubtful("a text in single quotes has an escape that only Python knows; write JSON");
                }
                if !self.kept && begins_like_share(content) {
                    notes.doubtful(
                        "a path begins with two backslashes and has others that are not doubled; double each",
                    );
                }
                self.kept = true;
                content.push('\\');
            }
            Escape::Cut | Escape::No => return Err(None),
            Escape::LoneSurrogate => {
                return Err(Some(
                    "half of a surrogate pair stands in a text; write the character itself".to_owned(),
                ));
            }
        }
        Ok(())
    }

    fn finish(&self, notes: &mut Notes) {
        if self.kept && self.control {
            notes.doubtful(
                "a text mixes backslashes that are no escape of JSON with `\\b`, `\\f`, `\\n`, `\\r` or `\\t`, \
                 so it is unclear which of them are backslashes; write each backslash as `\\\\`",
            );
        }
    }
}

/// `\\host` before a single backslash: the two may be the beginning of a network path, or one escaped backslash.
fn begins_like_share(content: &str) -> bool {
    content.strip_prefix('\\').is_some_and(|host| {
        !host.is_empty()
            && host.chars().all(|character| character.is_alphanumeric() || "-_.".contains(character))
    })
}
