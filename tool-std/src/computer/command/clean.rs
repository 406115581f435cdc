//! From the bytes that programs write for terminals to the text that a terminal would show at the end.

#[cfg(test)]
mod tests;

use std::mem;

use vte::{Params, Parser, Perform};

/// The longest line of which the beginning can still be written over. What is longer goes out in parts.
const MAX_LINE: usize = 64 * 1024;
/// Escape sequences that carry texts (titles, images) are believed for this many bytes; one that never ends would swallow
/// all that follows.
const MAX_SEQUENCE: usize = 4 * 1024;

/// Takes bytes as they come and gives text: valid, without escape sequences and control characters but line feeds and
/// tabs. A line that is written anew (`\r`, as progress bars do) is kept as it was last, and a character that is taken back
/// (`\x08`) is left out.
#[derive(Default)]
pub(super) struct Cleaner {
    parser: Parser,
    screen: Screen,
    /// The parser is within something. Where it is not, plain text need not go through it.
    is_within: bool,
    /// Bytes since the parser last gave something.
    silent: usize,
    /// The first bytes of a character of which the rest has not come. The parser would lose what stands behind it.
    begun: Vec<u8>,
}

impl Cleaner {
    /// Reads `bytes` and hands finished text to `sink`.
    pub(super) fn push(&mut self, bytes: &[u8], mut sink: impl FnMut(&str)) {
        let joined;
        let mut bytes = bytes;
        if !self.begun.is_empty() {
            joined = [&mem::take(&mut self.begun), bytes].concat();
            bytes = &joined;
        }
        let (whole, begun) = bytes.split_at(bytes.len() - begun_character(bytes));
        self.begun.extend_from_slice(begun);
        match plain(whole) {
            Some(text) if !self.is_within => self.screen.lines(text),
            _ => self.lines(whole),
        }
        self.screen.hand_over(&mut sink);
    }

    /// Hands over what is left.
    pub(super) fn finish(mut self, mut sink: impl FnMut(&str)) {
        if !self.begun.is_empty() {
            self.screen.text("\u{fffd}");
        }
        self.screen.commit();
        self.screen.hand_over(&mut sink);
    }

    fn lines(&mut self, bytes: &[u8]) {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (mut text, ends) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
            while !text.is_empty() {
                let end = text.len().min(MAX_SEQUENCE);
                let begun = text.get(..end).map_or(0, begun_character);
                let (part, rest) = text.split_at(if begun < end { end - begun } else { end });
                self.part(part);
                text = rest;
            }
            if ends {
                self.line_end();
            }
        }
    }

    /// A part of a line, which ends no character in the middle unless the next byte is none of it.
    fn part(&mut self, part: &[u8]) {
        match plain(part) {
            Some(text) if !self.is_within => return self.screen.text(text),
            _ => {}
        }
        let (before, last) = match part.split_last() {
            Some((last, before)) if last.is_ascii() => (before, Some(*last)),
            _ => (part, None),
        };
        let gave = self.parse(before) != Given::Nothing;
        let given = last.map_or(Given::Nothing, |last| self.parse(&[last]));
        // Letters of a sequence are not given as text. So behind one that was, the parser is within nothing.
        self.is_within = !(given == Given::Text && last.is_some_and(|last| last.is_ascii_graphic()));
        self.silent = if gave || given != Given::Nothing { 0 } else { self.silent + part.len() };
        if self.silent > MAX_SEQUENCE {
            self.forget_sequence();
        }
    }

    fn line_end(&mut self) {
        if self.is_within {
            if self.parse(b"\n") == Given::Nothing {
                self.forget_sequence();
                self.screen.line_feed();
            }
        } else {
            self.screen.line_feed();
        }
    }

    /// What the parser gave last of `bytes`.
    fn parse(&mut self, bytes: &[u8]) -> Given {
        self.screen.given = Given::Nothing;
        self.parser.advance(&mut self.screen, bytes);
        mem::take(&mut self.screen.given)
    }

    /// Ends a sequence in the middle; what comes is text again.
    fn forget_sequence(&mut self) {
        self.parser = Parser::new();
        self.is_within = false;
        self.silent = 0;
    }
}

/// How many bytes at the end are the beginning of a character.
fn begun_character(bytes: &[u8]) -> usize {
    let is_begun = |count: &usize| {
        let end = bytes.get(bytes.len() - count..).unwrap_or_default();
        str::from_utf8(end).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
    };
    (1..=3.min(bytes.len())).find(is_begun).unwrap_or(0)
}

/// The bytes as text, if that is what they are: without control characters but line feeds and tabs.
fn plain(bytes: &[u8]) -> Option<&str> {
    let is_control = |byte: &u8| (*byte < b' ' && *byte != b'\n' && *byte != b'\t') || *byte == 0x7f;
    // Looked at without an early end, which is fast, since most bytes are none.
    if bytes.iter().fold(false, |found, byte| found | is_control(byte)) {
        return None;
    }
    // The other control characters are two bytes, of which the first begins letters too.
    let text = str::from_utf8(bytes).ok()?;
    let has_second_kind = bytes.contains(&0xc2) && text.contains(|c| ('\u{80}'..='\u{9f}').contains(&c));
    (!has_second_kind).then_some(text)
}

/// The last line of a terminal, and the lines above it that have not been handed over.
#[derive(Default)]
struct Screen {
    done: String,
    line: String,
    /// The next character is written at the beginning of the line.
    at_start: bool,
    given: Given,
}

/// What the parser gave last.
#[derive(Default, PartialEq, Eq)]
enum Given {
    #[default]
    Nothing,
    Text,
    /// A control character, or a sequence at its end.
    Control,
}

impl Screen {
    fn text(&mut self, text: &str) {
        if !text.is_empty() && mem::take(&mut self.at_start) {
            self.line.clear();
        }
        self.line.push_str(text);
    }

    fn lines(&mut self, text: &str) {
        let Some((first, rest)) = text.split_once('\n') else { return self.text(text) };
        self.text(first);
        self.line_feed();
        let whole = rest.rfind('\n').map_or(0, |end| end + 1);
        let (whole, last) = rest.split_at(whole);
        self.done.push_str(whole);
        self.text(last);
    }

    fn line_feed(&mut self) {
        self.commit();
        self.done.push('\n');
    }

    fn commit(&mut self) {
        self.at_start = false;
        self.done.push_str(&self.line);
        self.line.clear();
    }

    fn hand_over(&mut self, sink: &mut impl FnMut(&str)) {
        if self.line.len() > MAX_LINE {
            let at_start = self.at_start;
            self.commit();
            self.at_start = at_start;
        }
        if !self.done.is_empty() {
            sink(&self.done);
            self.done.clear();
        }
    }
}

impl Perform for Screen {
    fn print(&mut self, c: char) {
        self.given = Given::Text;
        if !c.is_control() {
            self.text(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn execute(&mut self, byte: u8) {
        self.given = Given::Control;
        match byte {
            b'\n' | b'\x0b' | b'\x0c' => self.line_feed(),
            b'\t' => self.text("\t"),
            b'\r' => self.at_start = true,
            b'\x08' => {
                self.line.pop();
            }
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, _: &[u8], _: bool, action: char) {
        self.given = Given::Control;
        let first = params.iter().next().and_then(|param| param.first().copied()).unwrap_or(0);
        match (action, first) {
            // The cursor goes to the first column.
            ('G', 0 | 1) => self.at_start = true,
            // The whole line, or all before the cursor, is erased.
            ('K', 1 | 2) => self.line.clear(),
            ('K', 0) if self.at_start => self.line.clear(),
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, _: &[u8], _: bool, _: u8) {
        self.given = Given::Control;
    }

    fn osc_dispatch(&mut self, _: &[&[u8]], _: bool) {
        self.given = Given::Control;
    }
}
