//! Lines of a stream, of which only so many bytes are kept.

use std::io::{self, BufRead, BufReader, Read};

use super::stop::{Stop, Stopped};

/// How much is read at once, and between two looks at the clock.
const BLOCK: usize = 256 * 1024;

/// Reads a stream line by line. Lines end at a line feed; a carriage return stays.
pub(super) struct Lines<'a, R> {
    reader: BufReader<R>,
    stop: &'a Stop,
}

/// One line, without its line feed.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The first bytes of it.
    pub(super) kept: Vec<u8>,
    /// How many bytes it has.
    pub(super) len: u64,
    /// Why its end was not reached.
    pub(super) stopped: Option<Stopped>,
}

/// How many lines were passed over.
#[derive(Debug)]
pub(super) struct Passed {
    pub(super) lines: u64,
    pub(super) end: End,
}

/// What passing over lines ended at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// As many lines or bytes as were asked for.
    Enough,
    /// The end of the stream.
    Stream,
    Stopped(Stopped),
}

impl<'a, R: Read> Lines<'a, R> {
    pub(super) fn new(stream: R, stop: &'a Stop) -> Self {
        Self { reader: BufReader::with_capacity(BLOCK, stream), stop }
    }

    /// The next line, with at most `keep` of its bytes; `None` at the end of the stream.
    pub(super) fn next(&mut self, keep: usize) -> io::Result<Option<Line>> {
        let mut line = Line::default();
        loop {
            let block = fill(&mut self.reader)?;
            if block.is_empty() {
                return Ok((line.len > 0).then_some(line));
            }
            let end = memchr::memchr(b'\n', block);
            let part = block.get(..end.unwrap_or(block.len())).unwrap_or_default();
            let room = keep - line.kept.len();
            line.kept.extend_from_slice(part.get(..room).unwrap_or(part));
            line.len += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(line));
            }
            if let Err(stopped) = self.stop.check() {
                line.stopped = Some(stopped);
                return Ok(Some(line));
            }
        }
    }

    /// Passes over `lines` lines, or as many as begin in the next `bytes` bytes.
    pub(super) fn pass(&mut self, lines: u64, bytes: u64) -> io::Result<Passed> {
        let (mut passed, mut read, mut in_line) = (0, 0, false);
        while passed < lines && read < bytes {
            let block = fill(&mut self.reader)?;
            let Some(last) = block.last() else {
                return Ok(Passed { lines: passed + u64::from(in_line), end: End::Stream });
            };
            in_line = *last != b'\n';
            let (ends, used) = line_ends(block, lines - passed);
            (passed, read) = (passed + ends, read + used as u64);
            self.reader.consume(used);
            if let Err(stopped) = self.stop.check() {
                return Ok(Passed { lines: passed, end: End::Stopped(stopped) });
            }
        }
        Ok(Passed { lines: passed, end: End::Enough })
    }
}

/// The first `most` line ends of `block`: how many there are, and the bytes up to the last of them, or the whole block if
/// there are fewer.
fn line_ends(block: &[u8], most: u64) -> (u64, usize) {
    let all = memchr::memchr_iter(b'\n', block).count() as u64;
    if all < most {
        return (all, block.len());
    }
    let last = usize::try_from(most - 1).ok().and_then(|nth| memchr::memchr_iter(b'\n', block).nth(nth));
    (most, last.map_or(block.len(), |at| at + 1))
}

/// [`BufRead::fill_buf`], again when a signal came between.
fn fill<R: Read>(reader: &mut BufReader<R>) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(_) => return Ok(reader.buffer()),
        }
    }
}
