//! A file as lines that keep their bytes: each its own line ending, and what stands before and behind them.

use super::parse::{Hunk, Mark};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The most lines of a file that hunks can change.
pub(super) const MAX_LINES: usize = 500_000;

/// A file as lines.
pub(super) struct Text<'f> {
    bytes: &'f [u8],
    lines: Vec<Line>,
}

/// Where a line begins, where its content ends, and where the next line begins.
struct Line {
    start: usize,
    end: usize,
    next: usize,
}

/// Why bytes are no text that hunks can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoText {
    /// It holds NUL bytes, as binary files do, and texts in UTF-16.
    Binary,
    TooManyLines,
}

impl<'f> Text<'f> {
    /// Takes a file apart. A lone carriage return ends no line.
    pub(super) fn new(bytes: &'f [u8]) -> Result<Self, NoText> {
        if bytes.contains(&0) {
            return Err(NoText::Binary);
        }
        let mut lines = Vec::new();
        let mut start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        while start < bytes.len() {
            if lines.len() == MAX_LINES {
                return Err(NoText::TooManyLines);
            }
            let rest = bytes.get(start..).unwrap_or_default();
            let line = match rest.iter().position(|byte| *byte == b'\n') {
                Some(newline) => {
                    let end = start + newline;
                    let carriage = rest.get(..newline).is_some_and(|content| content.ends_with(b"\r"));
                    Line { start, end: end - usize::from(carriage), next: end + 1 }
                }
                None => Line { start, end: bytes.len(), next: bytes.len() },
            };
            start = line.next;
            lines.push(line);
        }
        Ok(Self { bytes, lines })
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The content of the lines, without their endings. `None` for a line that is not UTF-8.
    pub(super) fn contents(&self) -> impl Iterator<Item = Option<&'f str>> + '_ {
        self.lines.iter().map(|line| std::str::from_utf8(self.slice(line.start, line.end)).ok())
    }

    /// The content of one line as it can be shown.
    pub(super) fn shown(&self, index: usize) -> Option<std::borrow::Cow<'f, str>> {
        let line = self.lines.get(index)?;
        Some(String::from_utf8_lossy(self.slice(line.start, line.end)))
    }

    /// Whether the file is UTF-8, so that any text can be added.
    pub(super) fn is_utf8(&self) -> bool {
        std::str::from_utf8(self.bytes).is_ok()
    }

    /// The file with each hunk done at its line, counted from 0. Hunks come in the order of their lines, and the changes of
    /// one end before the next begins.
    ///
    /// Lines that stay keep their bytes. An added line ends as the line before it does. The file ends with a line ending if
    /// it did before, or was empty.
    pub(super) fn edit<'h>(&self, hunks: impl Iterator<Item = (usize, &'h Hunk<'h>)>) -> Vec<u8> {
        let mut out = Lines { bytes: Vec::with_capacity(self.bytes.len()), open: None, ending: 0 };
        out.bytes.extend_from_slice(self.slice(0, self.start_of(0)));
        let mut next = 0;
        for (at, hunk) in hunks {
            self.copy(next, at, &mut out);
            next = at;
            // Context behind the last change stays for the next hunk.
            let changes = hunk.body.len() - hunk.trailing();
            for (mark, content) in hunk.body.iter().take(changes) {
                match mark {
                    Mark::Keep => {
                        self.copy(next, next + 1, &mut out);
                        next += 1;
                    }
                    Mark::Remove => next += 1,
                    Mark::Add => out.push(content.as_bytes(), self.ending_near(next)),
                }
            }
        }
        self.copy(next, self.len(), &mut out);
        out.finish(self.ends_open())
    }

    fn copy(&self, from: usize, to: usize, out: &mut Lines<'f>) {
        if from < to.min(self.len()) {
            let open = to >= self.len() && self.ends_open();
            let ending = open.then(|| self.ending_near(self.len() - 1));
            out.copy(self.slice(self.start_of(from), self.start_of(to)), ending);
        }
    }

    fn start_of(&self, index: usize) -> usize {
        self.lines.get(index).map_or(self.bytes.len(), |line| line.start)
    }

    fn ends_open(&self) -> bool {
        self.lines.last().is_some_and(|line| line.end == line.next)
    }

    /// The ending for a line before the line at `index`: that of the nearest line above, or below at the top.
    fn ending_near(&self, index: usize) -> &'f [u8] {
        let above = self.lines.iter().take(index).rev().take(2);
        above
            .chain(self.lines.get(index))
            .map(|line| self.slice(line.end, line.next))
            .find(|ending| !ending.is_empty())
            .unwrap_or(b"\n")
    }

    fn slice(&self, from: usize, to: usize) -> &'f [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }
}

/// Lines as they are written.
struct Lines<'f> {
    bytes: Vec<u8>,
    /// The ending that the last line lacks so far.
    open: Option<&'f [u8]>,
    /// How many bytes the ending of the last line takes.
    ending: usize,
}

impl<'f> Lines<'f> {
    /// Adds a line.
    fn push(&mut self, content: &[u8], ending: &'f [u8]) {
        self.close();
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(ending);
        self.ending = ending.len();
    }

    /// Adds lines as they are; `open` is the ending that the last of them lacks.
    fn copy(&mut self, lines: &[u8], open: Option<&'f [u8]>) {
        self.close();
        self.bytes.extend_from_slice(lines);
        self.open = open;
        self.ending = match lines {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
    }

    fn close(&mut self) {
        self.bytes.extend_from_slice(self.open.take().unwrap_or_default());
    }

    /// The lines; without the last ending if `open`.
    fn finish(mut self, open: bool) -> Vec<u8> {
        if open {
            self.bytes.truncate(self.bytes.len() - self.ending);
        }
        self.bytes
    }
}
