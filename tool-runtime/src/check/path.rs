//! Ways into a value, and how values are shown.

use std::fmt::{self, Write};

use crate::error::SHOWN;
use crate::json::Node;

/// The most characters of a pointer. Many may be written for one value, and its keys may be as long as the value.
const LONGEST: usize = 300;

/// A way into a value, growing at its end. Written out, it is a JSON pointer, shortened if it is very long.
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

    /// How many lists and objects it leads through.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Root => 0,
            Self::Key(parent, _) | Self::Index(parent, _) => 1 + parent.depth(),
        }
    }

    fn write(&self, out: &mut Shortened) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => {
                parent.write(out)?;
                out.write_char('/')?;
                key.chars().try_for_each(|character| match character {
                    '~' => out.write_str("~0"),
                    '/' => out.write_str("~1"),
                    control if control.is_control() => out.write_char(' '),
                    other => out.write_char(other),
                })
            }
            Self::Index(parent, index) => {
                parent.write(out)?;
                write!(out, "/{index}")
            }
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Shortened::to(LONGEST);
        // It stops where the characters are used up, and says so.
        let _ = self.write(&mut out);
        f.write_str(&out.finish())
    }
}

/// The value as JSON between backticks, shortened.
pub(crate) fn shown(node: &Node) -> String {
    let mut out = Shortened::to(SHOWN);
    // It stops where the characters are used up, and says so.
    let _ = write!(out, "{node}");
    format!("`{}`", out.finish())
}

/// Takes so many characters and then stops the writer, however much there is to write.
struct Shortened {
    text: String,
    left: usize,
    is_cut: bool,
}

impl Shortened {
    fn to(characters: usize) -> Self {
        Self { text: String::new(), left: characters, is_cut: false }
    }

    /// What was taken, with a sign if there was more.
    fn finish(mut self) -> String {
        if self.is_cut {
            self.text.push('…');
        }
        self.text
    }
}

impl Write for Shortened {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let Some(left) = self.left.checked_sub(1) else {
                self.is_cut = true;
                return Err(fmt::Error);
            };
            self.left = left;
            self.text.push(character);
        }
        Ok(())
    }
}
