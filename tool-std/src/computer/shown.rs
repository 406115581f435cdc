//! How paths, numbers and lists are written for the model.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

/// A name or a path as text on one line, and what had to be done to it.
pub(super) fn name(name: &OsStr) -> (Cow<'_, str>, Option<&'static str>) {
    let text = name.to_string_lossy();
    let note = matches!(text, Cow::Owned(_)).then_some("name is not UTF-8");
    if !text.contains(char::is_control) {
        return (text, note);
    }
    let mut escaped = String::with_capacity(text.len() + 10);
    for c in text.chars() {
        if c.is_control() { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    (Cow::Owned(escaped), note.or(Some("name holds control characters")))
}

/// A path as text on one line, with a note if it cannot be written so.
pub(super) fn path(path: &Path) -> String {
    let (text, note) = name(path.as_os_str());
    note.map_or_else(|| text.to_string(), |note| format!("{text} ({note})"))
}

/// A real path as the model may write it: from the workspace on, or absolute.
pub(super) fn place(real: &Path, workspace: &Path) -> String {
    match real.strip_prefix(workspace) {
        Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Ok(inside) => path(inside),
        Err(_) => path(real),
    }
}

/// A number with commas, `1,234`.
pub(crate) fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// The last two parts of a path, for labels.
pub(super) fn last_two(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rmatch_indices('/').nth(1).map_or(path, |(at, _)| path.get(at + 1..).unwrap_or(path))
}

/// Rows of text up to so many characters. Only whole rows are taken.
pub(super) struct Rows {
    text: String,
    room: usize,
    len: usize,
}

impl Rows {
    pub(super) fn up_to(characters: usize) -> Self {
        Self { text: String::new(), room: characters, len: 0 }
    }

    /// Adds a row, or gives `false` if it does not fit.
    pub(super) fn push(&mut self, row: &str) -> bool {
        let needed = row.chars().count() + 1;
        let fits = needed <= self.room;
        if fits {
            self.room -= needed;
            self.len += 1;
            self.text.push_str(row);
            self.text.push('\n');
        }
        fits
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The rows, and a note in brackets behind them.
    pub(super) fn with_note(mut self, note: &str) -> String {
        self.text.push('[');
        self.text.push_str(note);
        self.text.push(']');
        self.text
    }
}

/// The start of a text with at most `most` characters; `None` if the text has no more.
pub(super) fn cut(text: &str, most: usize) -> Option<&str> {
    text.char_indices().nth(most).and_then(|(at, _)| text.get(..at))
}
