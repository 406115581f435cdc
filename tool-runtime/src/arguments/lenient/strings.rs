//! Texts, with their quotes.

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

/// Something inside a text that JSON does not have there.
struct Inside {
    name: &'static str,
    /// Whether the character belongs to the text; `None` if it is not of the kind that the row knows.
    belongs: fn(char, &Spot<'_, '_>) -> Option<Belongs>,
}

enum Belongs {
    Surely,
    /// There is a second reading; why.
    Doubtfully(&'static str),
}

/// Where a character of a text stands.
struct Spot<'s, 't> {
    /// Behind it.
    cursor: &'s Cursor<'t>,
    place: Place,
    delimiter: &'static Delimiter,
    /// The text before it.
    content: &'s str,
    inner: &'s InnerQuotes,
}

/// Tried in order.
const INSIDE: &[Inside] = &[
    Inside { name: "raw_control", belongs: raw_control },
    Inside { name: "inner_quote", belongs: inner_quote },
];

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
    let mut first_inner = None;
    loop {
        let plain = cursor.take_up_to(|character| {
            character < ' '
                || character == '\\'
                || delimiter.closes(character)
                || delimiter.only_opens(character)
        });
        content.push_str(plain.rest());
        let Some(character) = cursor.bump() else {
            notes.open_quote = first_inner;
            return Err(cut(place, &content));
        };
        if character == '\\' {
            backslashes.read(cursor, delimiter, &mut content, notes).map_err(|stop| match stop {
                Some(why) => Stop::Broken(why),
                None => cut(place, &content),
            })?;
        } else if delimiter.only_opens(character) {
            inner.open();
            content.push(character);
        } else {
            let spot = Spot { cursor, place, delimiter, content: &content, inner: &inner };
            let belongs =
                |row: &'static Inside| (row.belongs)(character, &spot).map(|belongs| (row, belongs));
            let Some((row, belongs)) = INSIDE.iter().find_map(belongs) else {
                if delimiter.closes(character) {
                    break;
                }
                return Err(Stop::Broken(
                    "a text holds a control character; write it as an escape".to_owned(),
                ));
            };
            if let Belongs::Doubtfully(why) = belongs {
                notes.doubtful(why);
            }
            notes.repaired(row.name);
            if delimiter.closes(character) {
                inner.add(&content, cursor.peek());
                first_inner = first_inner.or(Some(cursor.rest().len()));
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

/// A line break or the like, as it is.
fn raw_control(character: char, _: &Spot<'_, '_>) -> Option<Belongs> {
    (character < ' ').then_some(Belongs::Surely)
}

/// A quote that cannot end the text.
fn inner_quote(character: char, spot: &Spot<'_, '_>) -> Option<Belongs> {
    if !spot.delimiter.closes(character) {
        return None;
    }
    match quotes::judge(spot.cursor, spot.place, spot.delimiter, spot.content, spot.inner) {
        Verdict::Ends => None,
        Verdict::Inside => Some(Belongs::Surely),
        Verdict::Doubtful(why) => Some(Belongs::Doubtfully(why)),
    }
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
