//! What commands print: headings, tables, values in one form.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use comfy_table::{ContentArrangement, Table, presets};
use console::{Term, style};
use serde_json::Value;

/// A line that names what follows.
pub(crate) fn heading(out: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "\n{}", style(text).bold())
}

/// A table without rules, its last column broken to the width of the terminal; a file gets one line a row.
pub(crate) fn table(
    out: &mut impl Write,
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(width) = width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    if !header.is_empty() {
        table.set_header(header);
    }
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    for (number, line) in table.lines().enumerate() {
        let line = line.trim_end();
        match number {
            0 if !header.is_empty() => writeln!(out, "{}", style(line).bold())?,
            _ => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

/// The columns of the terminal, if standard output is one.
pub(crate) fn width() -> Option<u16> {
    Term::stdout().size_checked().map(|(_, columns)| columns)
}

/// A JSON value over several lines.
pub(crate) fn json(out: &mut impl Write, value: &Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}

/// A text from elsewhere as standard output takes it: a terminal must not be given its control characters.
pub(crate) fn for_stdout(text: &str) -> Cow<'_, str> {
    for_stream(text, io::stdout().is_terminal())
}

/// The same for standard error.
pub(crate) fn for_stderr(text: &str) -> Cow<'_, str> {
    for_stream(text, io::stderr().is_terminal())
}

fn for_stream(text: &str, is_terminal: bool) -> Cow<'_, str> {
    let moves = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !is_terminal || !text.contains(moves) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if moves(c) { char::REPLACEMENT_CHARACTER } else { c }).collect())
}

/// The first sentence of a description, on one line.
pub(crate) fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = line.match_indices(". ").map(|(at, _)| at + 1).next();
    end.and_then(|end| line.get(..end)).map(str::to_owned).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_control_characters_of_a_text() {
        assert_eq!(for_stream("a\x1b]0;b\x07\n\tc", true), "a\u{fffd}]0;b\u{fffd}\n\tc");
        assert_eq!(for_stream("a\x1b", false), "a\x1b");
    }

    #[test]
    fn the_first_sentence_ends_at_a_point_and_not_within_a_name() {
        assert_eq!(first_sentence("Reads a.b\nof files. Then more."), "Reads a.b of files.");
        assert_eq!(first_sentence("One\n\nTwo"), "One");
    }
}
