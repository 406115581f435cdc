//! Reads a patch line by line.

use super::marker::Marker;
use super::{Change, Hunk, Mark, Operation};
use crate::computer::apply_patch::explain::Failure;
use crate::computer::apply_patch::report::quoted;

/// Where the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No begin line anywhere: the text counts from the top, and what comes before the first operation is skipped.
    Before,
    /// Before the begin line or after the end line: skipped.
    Outside,
    /// In the envelope, and in no operation.
    Between,
    Inside(Verb),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Add,
    Delete,
    Update,
}

/// The operation that is being read.
#[derive(Default)]
struct Current<'t> {
    path: &'t str,
    line: usize,
    /// Of a new file.
    lines: Vec<&'t str>,
    move_to: Option<&'t str>,
    hunks: Vec<Hunk<'t>>,
}

pub(super) struct Reader<'t> {
    state: State,
    current: Current<'t>,
    operations: Vec<Operation<'t>>,
    misread: Vec<Failure>,
    /// The line that is read, from 1.
    line: usize,
    /// How many of the lines read last are empty and without a mark: spacing or content, which only the next line tells.
    blanks: usize,
}

impl<'t> Reader<'t> {
    /// `begins` if there is a begin line to wait for.
    pub(super) fn new(begins: bool) -> Self {
        let state = if begins { State::Outside } else { State::Before };
        Self {
            state,
            current: Current::default(),
            operations: Vec::new(),
            misread: Vec::new(),
            line: 0,
            blanks: 0,
        }
    }

    /// Takes the line with this number.
    pub(super) fn read(&mut self, number: usize, line: &'t str) {
        self.line = number;
        match self.state {
            State::Outside if Marker::of(line) == Some(Marker::Begin) => self.state = State::Between,
            State::Outside => {}
            State::Before | State::Between => self.read_between(line),
            State::Inside(Verb::Add) => self.read_add(line),
            State::Inside(Verb::Delete) => self.read_delete(line),
            State::Inside(Verb::Update) => self.read_update(line),
        }
    }

    /// What was read, or what could not be.
    pub(super) fn finish(mut self) -> Result<Vec<Operation<'t>>, Vec<Failure>> {
        self.end_operation();
        if self.misread.is_empty() {
            return Ok(self.operations);
        }
        self.misread.sort_by_key(|misread| misread.line);
        Err(self.misread)
    }

    fn read_between(&mut self, line: &'t str) {
        match Marker::of(line) {
            Some(marker) => self.mark(marker, line),
            None if line.trim().is_empty() || self.state == State::Before => {}
            None => self.refuse(format!(
                "{} belongs to no operation; begin one with `*** Add File: path`, `*** Delete File: path` or \
                 `*** Update File: path`",
                quoted(line)
            )),
        }
    }

    fn read_update(&mut self, line: &'t str) {
        match (line.as_bytes().first(), Marker::of(line)) {
            (Some(b' ' | b'+' | b'-'), _) => self.push_body(line),
            (_, Some(Marker::EndOfFile)) => self.end_of_file(),
            (_, Some(marker)) => self.mark(marker, line),
            (Some(b'@'), _) if line.starts_with("@@") => self.push_header(line),
            // Such as `\ No newline at end of file`, which the file itself decides.
            (Some(b'\\'), _) => {}
            _ => self.push_body(line),
        }
    }

    fn read_add(&mut self, line: &'t str) {
        match (line.strip_prefix('+'), Marker::of(line)) {
            (Some(content), _) => self.push_added(content),
            (None, Some(Marker::EndOfFile)) => {}
            (None, Some(marker)) => self.mark(marker, line),
            (None, None) if line.starts_with('\\') => {}
            (None, None) if line.trim().is_empty() => self.blanks += 1,
            (None, None) => {
                self.refuse(format!("{} has no `+`, as each line of a new file has", quoted(line)));
            }
        }
    }

    fn read_delete(&mut self, line: &'t str) {
        match Marker::of(line) {
            Some(marker) => self.mark(marker, line),
            None if line.trim().is_empty() => {}
            None => self.refuse(format!(
                "{} follows a deletion, which takes no lines; to remove lines of a file use `*** Update File: path`",
                quoted(line)
            )),
        }
    }

    fn mark(&mut self, marker: Marker<'t>, line: &str) {
        match marker {
            Marker::Begin => self.end_operation(),
            Marker::End => {
                self.end_operation();
                self.state = State::Outside;
            }
            Marker::Add(path) => self.begin(Verb::Add, path),
            Marker::Delete(path) => self.begin(Verb::Delete, path),
            Marker::Update(path) => self.begin(Verb::Update, path),
            Marker::MoveTo(path) => self.move_to(path),
            Marker::EndOfFile => self.refuse("`*** End of File` stands outside of a hunk".to_owned()),
            Marker::Unknown => self.refuse(format!(
                "{} is no operation; those are `*** Add File: path`, `*** Delete File: path` and \
                 `*** Update File: path`, whose next line may be `*** Move to: path`; a line of the file has a blank, \
                 `-` or `+` before it",
                quoted(line)
            )),
        }
    }

    fn begin(&mut self, verb: Verb, path: &'t str) {
        self.end_operation();
        if path.is_empty() {
            self.refuse("names no file".to_owned());
        }
        self.current = Current { path, line: self.line, ..Current::default() };
        self.state = State::Inside(verb);
    }

    fn move_to(&mut self, path: &'t str) {
        let refusal = if self.state != State::Inside(Verb::Update) {
            "belongs to no update; `*** Move to:` is the line after `*** Update File:`"
        } else if path.is_empty() {
            "names no file"
        } else if !self.current.hunks.is_empty() {
            "comes after changes; `*** Move to:` is the line after `*** Update File:`"
        } else if self.current.move_to.replace(path).is_some() {
            "moves the file a second time"
        } else {
            return;
        };
        self.refuse(refusal.to_owned());
    }

    fn push_added(&mut self, content: &'t str) {
        if self.blanks > 0 {
            let blank = self.line - self.blanks;
            let reason =
                "is empty and stands among the lines of a new file; write `+` for an empty line of the file";
            self.misread.push(Failure { line: blank, text: reason.to_owned() });
            self.blanks = 0;
        }
        self.current.lines.push(content);
    }

    /// A line that begins with `@@`: a new hunk, or one more anchor of a hunk that has no lines yet.
    fn push_header(&mut self, line: &'t str) {
        let anchor = line.get(2..).unwrap_or_default();
        let anchor = anchor.strip_prefix(' ').unwrap_or(anchor).trim_end();
        let anchor = (!anchor.is_empty() && !is_line_numbers(anchor)).then_some(anchor);
        if self.current.hunks.last().is_none_or(|hunk| !hunk.body.is_empty()) {
            self.begin_hunk();
        }
        if let Some(hunk) = self.current.hunks.last_mut() {
            hunk.anchors.extend(anchor);
        }
    }

    fn push_body(&mut self, line: &'t str) {
        let (mark, text) = match line.split_at_checked(1) {
            Some((" ", text)) => (Mark::Keep, text),
            Some(("+", text)) => (Mark::Add, text),
            Some(("-", text)) => (Mark::Remove, text),
            _ => (Mark::Keep, line),
        };
        if self.current.hunks.last().is_none_or(|hunk| hunk.at_end) {
            self.begin_hunk();
        }
        self.blanks = if line.is_empty() { self.blanks + 1 } else { 0 };
        if let Some(hunk) = self.current.hunks.last_mut() {
            hunk.body.push((mark, text));
        }
    }

    /// The hunk that was begun last ends where the file ends.
    fn end_of_file(&mut self) {
        self.blanks = 0;
        if let Some(hunk) = self.current.hunks.last_mut() {
            hunk.at_end = true;
        }
    }

    fn begin_hunk(&mut self) {
        self.drop_spacing();
        let line = self.line;
        self.current.hunks.push(Hunk { line, ..Hunk::default() });
    }

    /// Empty lines without a mark at the end of a hunk are spacing of the patch. Were they lines of the file after all, the
    /// hunk would fit there without them too.
    fn drop_spacing(&mut self) {
        let blanks = std::mem::take(&mut self.blanks);
        if let Some(hunk) = self.current.hunks.last_mut() {
            hunk.body.truncate(hunk.body.len().saturating_sub(blanks));
        }
    }

    fn end_operation(&mut self) {
        let State::Inside(verb) = self.state else { return };
        self.drop_spacing();
        self.state = State::Between;
        let Current { path, line, lines, move_to, mut hunks } = std::mem::take(&mut self.current);
        let change = match verb {
            Verb::Add => Change::Add(lines),
            Verb::Delete => Change::Delete,
            Verb::Update => {
                self.check_update(line, move_to, &hunks);
                hunks.retain(|hunk| !hunk.body.is_empty());
                Change::Update { move_to, hunks }
            }
        };
        self.operations.push(Operation { path, line, change });
    }

    fn check_update(&mut self, line: usize, move_to: Option<&str>, hunks: &[Hunk<'t>]) {
        let known = self.misread.len();
        for hunk in hunks.iter().filter(|hunk| hunk.body.is_empty() && !hunk.anchors.is_empty()) {
            let text = "is an anchor without lines to change".to_owned();
            self.misread.push(Failure { line: hunk.line, text });
        }
        let changes = hunks.iter().any(|hunk| hunk.trailing() < hunk.body.len());
        if !changes && move_to.is_none() && self.misread.len() == known {
            let text = "changes nothing: mark lines to remove with `-` and lines to add with `+`".to_owned();
            self.misread.push(Failure { line, text });
        }
    }

    fn refuse(&mut self, text: String) {
        self.misread.push(Failure { line: self.line, text });
    }
}

/// The line numbers of a unified diff, which are those of another text as a rule.
fn is_line_numbers(header: &str) -> bool {
    let mut words = header.split_whitespace();
    let mut numbers = |sign: char| {
        words.next().and_then(|word| word.strip_prefix(sign)).is_some_and(|rest| {
            !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
        })
    };
    numbers('-') && numbers('+') && words.next().is_none_or(|word| word == "@@")
}
