//! The output of a command, bounded: its beginning and its end in memory, all of it in a file once it is too long.

use super::clean::Cleaner;
use super::log::{Log, LogFolder, LogState};

/// The characters of the result.
pub(super) const MAX_CHARS: usize = HEAD_CHARS + TAIL_CHARS;
/// How many of them are of the beginning: two fifths.
const HEAD_CHARS: usize = 20_000;
/// How many of them are of the end.
const TAIL_CHARS: usize = 30_000;

/// The bytes of the end before those that are not needed go. More than the bytes of [`TAIL_CHARS`], so that they go rarely.
const MAX_TAIL: usize = 16 * TAIL_CHARS;

/// Takes the output as it comes.
pub(super) struct Capture {
    cleaner: Cleaner,
    text: Kept,
}

/// What a command wrote.
#[derive(Debug)]
pub(super) struct Output {
    /// Text of at most [`MAX_CHARS`], and where something was left out, a line that says how much.
    pub(super) text: String,
    /// The characters that the command wrote in all.
    pub(super) total: u64,
    /// Whether something was left out.
    pub(super) is_cut: bool,
    /// The file in which all of it is, or why it is not.
    pub(super) log: LogState,
}

impl Capture {
    pub(super) fn new(folder: LogFolder) -> Self {
        let text =
            Kept { head: String::new(), head_chars: 0, tail: String::new(), total: 0, log: Log::new(folder) };
        Self { cleaner: Cleaner::default(), text }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let Self { cleaner, text } = self;
        cleaner.push(bytes, |piece| text.push(piece));
    }

    pub(super) fn finish(self) -> Output {
        let Self { cleaner, mut text } = self;
        cleaner.finish(|piece| text.push(piece));
        text.finish()
    }
}

/// The beginning and the end of a text.
struct Kept {
    head: String,
    head_chars: usize,
    /// At least the last characters; what is before them goes now and then.
    tail: String,
    total: u64,
    log: Log,
}

impl Kept {
    fn push(&mut self, piece: &str) {
        let chars = piece.chars().count();
        self.total += chars as u64;
        if self.total > MAX_CHARS as u64 {
            if !self.log.has_begun() {
                // Up to here all of it is in memory.
                self.log.write(&self.head);
                self.log.write(&self.tail);
            }
            self.log.write(piece);
        }
        let room = HEAD_CHARS - self.head_chars;
        let split = piece.char_indices().nth(room).map_or(piece.len(), |(index, _)| index);
        let (to_head, to_tail) = piece.split_at(split);
        self.head.push_str(to_head);
        self.head_chars += chars.min(room);
        self.tail.push_str(to_tail);
        if self.tail.len() > MAX_TAIL {
            self.drop_surplus();
        }
    }

    fn drop_surplus(&mut self) {
        if let Some((start, _)) = self.tail.char_indices().rev().nth(TAIL_CHARS - 1) {
            self.tail.drain(..start);
        }
    }

    fn finish(mut self) -> Output {
        self.drop_surplus();
        let left_out = self.total.saturating_sub(MAX_CHARS as u64);
        let mut text = self.head;
        if left_out > 0 {
            let total = self.total;
            text.push_str(&format!("\n[… {left_out} of {total} characters left out …]\n"));
        }
        text.push_str(&self.tail);
        text.truncate(text.trim_end_matches('\n').len());
        Output { text, total: self.total, is_cut: left_out > 0, log: self.log.finish() }
    }
}
