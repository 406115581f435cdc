//! A JSON value that keeps what `serde_json::Value` loses: the spelling of numbers, the order of keys, and keys given twice.
//!
//! Only the slow path of the arguments uses it (repair, coercion, error messages); a text that is clean JSON and fits is never read into it.

mod parse;

use std::fmt::{self, Write};

pub(crate) use parse::{JsonError, JsonFault, MAX_DEPTH};

/// One JSON value. Those that are read here nest at most [`MAX_DEPTH`] levels, so walking one by recursion is safe.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// As it was spelled; always a legal JSON number.
    Number(String),
    String(String),
    Array(Vec<Node>),
    /// In the order of the text; a key may stand more than once.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Reads a text that is one JSON value and nothing else.
    ///
    /// # Errors
    /// Where the text is no JSON, nests deeper than [`MAX_DEPTH`], or writes half of a surrogate pair.
    pub(crate) fn parse(text: &str) -> Result<Self, JsonError> {
        parse::parse(text)
    }

    /// What it is, with its article, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a text",
            Self::Array(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Writes compact JSON.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(spelling) => f.write_str(spelling),
            Self::String(text) => write_string(f, text),
            Self::Array(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_char(']')
            }
            Self::Object(members) => {
                f.write_char('{')?;
                for (index, (key, value)) in members.iter().enumerate() {
                    if index > 0 {
                        f.write_char(',')?;
                    }
                    write_string(f, key)?;
                    write!(f, ":{value}")?;
                }
                f.write_char('}')
            }
        }
    }
}

fn write_string(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let needs_escape = |character: char| matches!(character, '"' | '\\' | '\0'..' ');
    let mut rest = text;
    while let Some((plain, escaped)) = rest.find(needs_escape).and_then(|at| rest.split_at_checked(at)) {
        f.write_str(plain)?;
        let mut characters = escaped.chars();
        match characters.next() {
            Some('"') => f.write_str("\\\"")?,
            Some('\\') => f.write_str("\\\\")?,
            Some('\n') => f.write_str("\\n")?,
            Some('\r') => f.write_str("\\r")?,
            Some('\t') => f.write_str("\\t")?,
            Some(control) => write!(f, "\\u{:04x}", u32::from(control))?,
            None => {}
        }
        rest = characters.as_str();
    }
    f.write_str(rest)?;
    f.write_char('"')
}
