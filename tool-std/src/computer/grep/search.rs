//! Searching one file after the other.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::PathBuf;

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{
    BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkMatch,
};

use super::hits::{Hit, Hits, Line, Spot};
use crate::computer::shown;
use crate::computer::stop::Stop;
use crate::computer::walk::{Entry, Visit};

/// The most characters that are shown of a line.
const SHOWN_OF_LINE: usize = 500;
/// How many bytes of a longer line are shown before the match.
const BEFORE_MATCH: usize = 100;
/// The longest line that is searched, in bytes. Each thread may take as much.
pub(super) const LONGEST_LINE: usize = 8 * 1024 * 1024;

/// What is looked for.
pub(super) struct Wanted<'a> {
    pub(super) matcher: &'a RegexMatcher,
    pub(super) context: usize,
    pub(super) most: usize,
    pub(super) after: Option<&'a Spot>,
}

/// What one thread, or all of them, found.
pub(super) struct Found {
    pub(super) hits: Hits,
    /// Lines that match, and files that have some.
    pub(super) lines: u64,
    pub(super) files: u64,
    pub(super) files_searched: u64,
    pub(super) files_unread: u64,
    pub(super) files_binary: u64,
    /// One of the files that have too long a line, from the start of the walk on.
    pub(super) too_long: Option<PathBuf>,
}

/// Searches files; one for each thread.
pub(super) struct Grepper<'a> {
    wanted: &'a Wanted<'a>,
    matcher: RegexMatcher,
    searcher: Searcher,
    stop: &'a Stop,
    pub(super) found: Found,
}

impl Found {
    pub(super) fn nothing(most: usize) -> Self {
        Self {
            hits: Hits::first(most),
            lines: 0,
            files: 0,
            files_searched: 0,
            files_unread: 0,
            files_binary: 0,
            too_long: None,
        }
    }

    /// Takes in what another thread found.
    pub(super) fn absorb(&mut self, other: Self) {
        self.hits.absorb(other.hits);
        self.lines += other.lines;
        self.files += other.files;
        self.files_searched += other.files_searched;
        self.files_unread += other.files_unread;
        self.files_binary += other.files_binary;
        // The same one each time, whichever thread comes last.
        self.too_long = match (self.too_long.take(), other.too_long) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
    }
}

impl<'a> Grepper<'a> {
    pub(super) fn of(wanted: &'a Wanted<'a>, stop: &'a Stop) -> Self {
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .line_number(true)
            .before_context(wanted.context)
            .after_context(wanted.context)
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(LONGEST_LINE))
            .build();
        // A copy, so that threads do not share its caches.
        let matcher = wanted.matcher.clone();
        Self { wanted, matcher, searcher, stop, found: Found::nothing(wanted.most) }
    }
}

impl Visit for Grepper<'_> {
    fn visit(&mut self, entry: &Entry<'_>) {
        if entry.is_link || self.stop.check().is_err() {
            return;
        }
        let Some(file) = entry.open() else {
            self.found.files_unread += 1;
            return;
        };
        let after =
            Spot::line_in(self.wanted.after, entry.path).filter(|_| self.found.hits.wants(entry.path));
        let mut sink = FileSink {
            matcher: &self.matcher,
            context: self.wanted.context,
            after,
            room: if after.is_some() { self.wanted.most } else { 0 },
            hits: Vec::new(),
            pending: VecDeque::new(),
            follows_hit: false,
            lines: 0,
            is_binary: false,
        };
        let mut reader = Stoppable { inner: file, stop: self.stop, failed: false };
        let searched = self.searcher.search_reader(&self.matcher, &mut reader, &mut sink);
        if sink.is_binary {
            self.found.files_binary += 1;
            return;
        }
        self.found.files_searched += 1;
        if searched.is_err() {
            match reader.failed {
                // It was stopped, or cannot be read.
                true => self.found.files_unread += u64::from(self.stop.check().is_ok()),
                false => _ = self.found.too_long.get_or_insert_with(|| entry.path.to_path_buf()),
            }
        }
        self.found.lines += sink.lines;
        self.found.files += u64::from(sink.lines > 0);
        self.found.hits.add(entry.path.to_path_buf(), sink.hits);
    }
}

/// A file that cannot be read any more when it is time to stop.
struct Stoppable<'a, R> {
    inner: R,
    stop: &'a Stop,
    failed: bool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let stopped = self.stop.check().map_err(|_| io::Error::other("stopped"));
        let read = stopped.and_then(|()| self.inner.read(buffer));
        self.failed |= read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        read
    }
}

/// Keeps the hits of one file and counts the others.
struct FileSink<'a> {
    matcher: &'a RegexMatcher,
    context: usize,
    /// The line behind which hits are kept.
    after: Option<u64>,
    /// How many hits may still be kept.
    room: usize,
    hits: Vec<Hit>,
    /// The lines before the next hit.
    pending: VecDeque<Line>,
    /// Whether the last line that matched is a hit.
    follows_hit: bool,
    lines: u64,
    is_binary: bool,
}

impl FileSink<'_> {
    /// A line that may stand before a hit.
    fn may_come_before(&mut self, number: u64, bytes: &[u8]) {
        if self.context == 0 || self.room == 0 {
            return;
        }
        if self.pending.len() == self.context {
            self.pending.pop_front();
        }
        self.pending.push_back(Line { number, text: excerpt(bytes, 0) });
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.lines += 1;
        let (number, bytes) = (found.line_number().unwrap_or(0), found.bytes());
        self.follows_hit = self.room > 0 && self.after.is_some_and(|after| number > after);
        if !self.follows_hit {
            self.may_come_before(number, bytes);
            return Ok(true);
        }
        self.room -= 1;
        let start = if bytes.len() > SHOWN_OF_LINE { self.matcher.find(bytes).ok().flatten() } else { None };
        let line = Line { number, text: excerpt(bytes, start.map_or(0, |found| found.start())) };
        let before = std::mem::take(&mut self.pending).into();
        self.hits.push(Hit { before, line, after: Vec::new() });
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let (number, bytes) = (context.line_number().unwrap_or(0), context.bytes());
        match (context.kind(), self.hits.last_mut()) {
            (SinkContextKind::After, Some(hit)) if self.follows_hit => {
                hit.after.push(Line { number, text: excerpt(bytes, 0) });
            }
            _ => self.may_come_before(number, bytes),
        }
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.pending.clear();
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.is_binary = true;
        Ok(false)
    }
}

/// A line as text; of a long one, the part around `at`.
fn excerpt(line: &[u8], at: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut start = if line.len() > SHOWN_OF_LINE { at.saturating_sub(BEFORE_MATCH) } else { 0 };
    // Not within a character.
    while start > 0 && line.get(start).is_some_and(|byte| byte & 0xc0 == 0x80) {
        start -= 1;
    }
    let rest = line.get(start..).unwrap_or_default();
    // As many bytes as these characters can take, and one character more.
    let part = rest.get(..(SHOWN_OF_LINE + 1) * 4).unwrap_or(rest);
    let text = String::from_utf8_lossy(part);
    let cut = shown::cut(&text, SHOWN_OF_LINE);
    let (before, behind) = (if start > 0 { "…" } else { "" }, if cut.is_some() { "…" } else { "" });
    format!("{before}{}{behind}", cut.unwrap_or(&text))
}
