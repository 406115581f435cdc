//! Reads one list or object of almost-JSON in a single pass from left to right, without recursion and without going back.
//!
//! Every deviation from JSON is a row of a small table ([`between`], [`strings`], [`scalars`], [`structure`]) and is noted by
//! name. What is decided at a character depends on what stands before it and on a bounded look ahead; so a text cut off
//! inside an object never reads as a whole one.

mod between;
mod cursor;
mod cut;
mod escapes;
mod keys;
mod open;
mod quotes;
mod scalars;
mod strings;
mod structure;

use crate::arguments::readings::Truncated;
use crate::json::{MAX_DEPTH, Node};

pub(super) use between::{is_blank, skip_space};
pub(super) use cursor::Cursor;
#[cfg(test)]
pub(super) use cursor::steps;
pub(super) use strings::{is_quote, whole_string};
pub(super) use structure::{shorten, unclear_end};

use open::Open;
use strings::Place;
use structure::{Site, Step};

/// What one list or object reads as.
pub(super) enum Outcome {
    /// It is closed; the cursor stands behind it.
    Whole(Node),
    /// The text ends while it is open.
    Cut(Truncated),
    /// It cannot be read; why, as a clause for the model.
    Broken(String),
}

/// What was noticed on the way.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The names of the repairs, each once.
    pub(super) used: Vec<&'static str>,
    /// Why there is a second reading.
    pub(super) doubt: Option<String>,
    /// The closing brackets that stood twice in a row before a comma: one of them may be too many.
    pub(super) doubled_brackets: Vec<char>,
    /// The text ended inside a text that holds quotes: so many bytes were left behind the first of them.
    pub(super) open_quote: Option<usize>,
    /// If that quote ended the text, then all was closed when so many bytes were left.
    pub(super) closed_perhaps: Option<usize>,
}

impl Notes {
    pub(super) fn repaired(&mut self, name: &'static str) {
        if !self.used.contains(&name) {
            self.used.push(name);
        }
    }

    /// Adds what was noticed further on, inside of an object that is closed.
    pub(super) fn add(&mut self, later: Self) {
        for name in later.used {
            self.repaired(name);
        }
        self.doubt = self.doubt.take().or(later.doubt);
        self.doubled_brackets.extend(later.doubled_brackets);
    }

    /// The first doubt is kept.
    pub(super) fn doubtful(&mut self, why: impl Into<String>) {
        if self.doubt.is_none() {
            self.doubt = Some(why.into());
        }
    }
}

/// Why reading stops before the end of the value.
enum Stop {
    /// The text ended.
    Cut(Part),
    /// There is no reading; why.
    Broken(String),
}

/// What was being read when the text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Nothing but what stands between tokens; whether that was white space only.
    Between {
        only_space: bool,
    },
    Key(usize),
    /// A text, number or word, of which so many characters arrived.
    Scalar(usize),
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    KeyOrEnd,
    Key,
    Colon,
    Value,
    ItemOrEnd,
    Item,
    CommaOrEnd,
}

/// Reads the list or object at whose opening bracket the cursor stands.
pub(super) fn read(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Outcome {
    let mut reader = Reader {
        text: cursor.rest(),
        cursor,
        notes,
        open: Vec::new(),
        lists: 0,
        expect: Expect::Value,
        last: Last::None,
        closed: Vec::new(),
        root: None,
    };
    loop {
        match reader.step() {
            Ok(()) => {}
            Err(Stop::Cut(part)) => return Outcome::Cut(reader.cut(part)),
            Err(Stop::Broken(why)) => return Outcome::Broken(why),
        }
        if let Some(root) = reader.root.take() {
            return Outcome::Whole(root);
        }
    }
}

struct Reader<'c, 't> {
    /// All that is left of the text when reading begins.
    text: &'t str,
    cursor: &'c mut Cursor<'t>,
    notes: &'c mut Notes,
    open: Vec<Open>,
    /// How many of `open` are lists.
    lists: usize,
    expect: Expect,
    last: Last,
    /// The brackets that closed something since the last other token.
    closed: Vec<char>,
    /// The value, once it is closed.
    root: Option<Node>,
}

/// What kind of value was the last to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    None,
    Container,
    /// A text or a word, of which the end is certain.
    Certain,
    /// A number, or a text that was repaired.
    Uncertain,
}

impl Reader<'_, '_> {
    /// Reads one token.
    fn step(&mut self) -> Result<(), Stop> {
        let only_space = between::skip(self.cursor, self.expect, self.notes)?;
        let Some(next) = self.cursor.peek() else {
            return Err(Stop::Cut(Part::Between { only_space }));
        };
        match (self.expect, next) {
            (Expect::KeyOrEnd | Expect::CommaOrEnd, '}') if self.in_object() => self.close(next),
            (Expect::ItemOrEnd | Expect::CommaOrEnd, ']') if !self.in_object() => self.close(next),
            (Expect::CommaOrEnd, ',') => self.comma(),
            (Expect::Colon, ':') => self.take(Expect::Value),
            (Expect::KeyOrEnd | Expect::Key, _) if keys::starts_key(next) => self.key()?,
            (Expect::Value | Expect::ItemOrEnd | Expect::Item, '{' | '[') => self.open(next)?,
            (Expect::Value | Expect::ItemOrEnd | Expect::Item, _) if is_quote(next) => self.text()?,
            (Expect::Value | Expect::ItemOrEnd | Expect::Item, _) if scalars::starts_scalar(next) => {
                let value = scalars::read(self.cursor, self.notes)?;
                self.last = if matches!(value, Node::Number(_)) { Last::Uncertain } else { Last::Certain };
                self.add(value);
            }
            _ => self.repair(next)?,
        }
        Ok(())
    }

    fn take(&mut self, expect: Expect) {
        self.closed.clear();
        self.cursor.bump();
        self.expect = expect;
    }

    fn comma(&mut self) {
        if let [.., before, last] = self.closed.as_slice()
            && before == last
            && !self.notes.doubled_brackets.contains(last)
        {
            self.notes.doubled_brackets.push(*last);
        }
        self.take(if self.in_object() { Expect::Key } else { Expect::Item });
    }

    fn key(&mut self) -> Result<(), Stop> {
        let read = keys::read_key(self.cursor, self.notes)?;
        if let Some(Open::Object(_, key)) = self.open.last_mut() {
            *key = Some(read);
        }
        self.expect = Expect::Colon;
        Ok(())
    }

    fn text(&mut self) -> Result<(), Stop> {
        let place = if self.in_object() { Place::Member } else { Place::Item };
        let text = strings::read_text(self.cursor, place, self.notes)?;
        self.last = if text.inner_quotes { Last::Uncertain } else { Last::Certain };
        self.add(Node::String(text.content));
        Ok(())
    }

    fn open(&mut self, bracket: char) -> Result<(), Stop> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Stop::Broken(format!("lists and objects nest more than {MAX_DEPTH} levels")));
        }
        self.cursor.bump();
        self.closed.clear();
        if bracket == '{' {
            self.open.push(Open::Object(Vec::new(), None));
            self.expect = Expect::KeyOrEnd;
        } else {
            self.open.push(Open::List(Vec::new()));
            self.lists += 1;
            self.expect = Expect::ItemOrEnd;
        }
        Ok(())
    }

    fn close(&mut self, bracket: char) {
        self.cursor.bump();
        self.closed.push(bracket);
        self.end_innermost();
    }

    /// Ends the innermost list or object.
    fn end_innermost(&mut self) {
        let Some(open) = self.open.pop() else { return };
        self.lists -= usize::from(matches!(open, Open::List(_)));
        self.last = Last::Container;
        self.add(open.into_node());
    }

    /// Puts a value where it belongs.
    fn add(&mut self, value: Node) {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object(members, key)) => members.push((key.take().unwrap_or_default(), value)),
        }
        self.expect = Expect::CommaOrEnd;
    }

    /// Something stands here that JSON does not have.
    fn repair(&mut self, next: char) -> Result<(), Stop> {
        let site = Site {
            expect: self.expect,
            next,
            in_object: self.in_object(),
            in_list_somewhere: self.lists > 0,
            after_container: self.last == Last::Container,
        };
        match structure::repair(&site, self.notes) {
            Some(Step::AsAfterComma) => {
                self.expect = if self.in_object() { Expect::Key } else { Expect::Item }
            }
            Some(Step::AsBeforeComma) => self.expect = Expect::CommaOrEnd,
            Some(Step::EndInnermost) => {
                if self.open.last().is_some_and(Open::may_end_elsewhere) {
                    self.notes.doubtful(
                        "a closing bracket is missing, and what it closes may end in several places",
                    );
                }
                self.end_innermost();
            }
            None => return Err(Stop::Broken(structure::complaint(&site, self.cursor))),
        }
        Ok(())
    }

    fn in_object(&self) -> bool {
        matches!(self.open.last(), Some(Open::Object(..)))
    }
}
