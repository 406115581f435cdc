//! Ways into a value, and how values are shown.

use std::fmt::{self, Write};

use crate::error::SHOWN;
use crate::json::Node;

/// A way into a value, growing at its end. Written out, it is a JSON pointer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The way to the member with this key.
    pub(crate) fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    /// The way to the item at this place.
    pub(crate) fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => {
                write!(f, "{parent}/")?;
                key.chars().try_for_each(|character| match character {
                    '~' => f.write_str("~0"),
                    '/' => f.write_str("~1"),
                    control if control.is_control() => f.write_char(' '),
                    other => f.write_char(other),
                })
            }
            Self::Index(parent, index) => write!(f, "{parent}/{index}"),
        }
    }
}

/// The value as JSON between backticks, shortened.
pub(crate) fn shown(node: &Node) -> String {
    let mut out = Shortened { text: String::from("`"), left: SHOWN };
    let whole = write!(out, "{node}").is_ok();
    let mut text = out.text;
    if !whole {
        text.push('…');
    }
    text.push('`');
    text
}

/// Takes so many characters and then stops the writer, however much there is to write.
struct Shortened {
    text: String,
    left: usize,
}

impl Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
    }
}
