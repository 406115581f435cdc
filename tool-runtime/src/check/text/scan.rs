//! The tokens of a JSON text, as strictly as `serde_json` takes them, without copying any.

use std::borrow::Cow;

use super::super::number::Num;
use super::super::oddity::is_loose_integer;
use crate::json::Node;

/// A place in a text. Its steps give `None` where the text is no JSON.
pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

/// A text between its quotes, as it is spelled.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    /// What stands between the quotes.
    spelling: &'t str,
    /// How many characters the spelling has more than the text, because of escapes.
    surplus: usize,
}

impl<'t> Text<'t> {
    #[inline]
    pub(super) fn is_escaped(self) -> bool {
        self.surplus > 0
    }

    #[inline]
    pub(super) fn spelling(self) -> &'t str {
        self.spelling
    }

    /// How many characters it has.
    pub(super) fn length(self) -> usize {
        self.spelling.chars().count().saturating_sub(self.surplus)
    }

    /// The text that is meant.
    pub(super) fn decoded(self) -> Option<Cow<'t, str>> {
        if !self.is_escaped() {
            return Some(Cow::Borrowed(self.spelling));
        }
        match Node::parse(&format!("\"{}\"", self.spelling)) {
            Ok(Node::String(text)) => Some(Cow::Owned(text)),
            _ => None,
        }
    }
}

/// A number that is long, or spelled otherwise than as an integer.
pub(super) struct Number<'t> {
    pub(super) value: Num<'t>,
    /// Whether it is whole and yet not spelled as an integer.
    pub(super) is_loose: bool,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// What was passed since a place.
    pub(super) fn since(&self, place: usize) -> &'t str {
        self.text.get(place..self.at).unwrap_or_default()
    }

    /// Whether nothing but space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.first().is_none()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The first byte after any space.
    #[inline]
    pub(super) fn first(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Steps over an opening bracket that was seen.
    #[inline]
    pub(super) fn open(&mut self) {
        self.at += 1;
    }

    /// Whether another item comes, and not the closing bracket; steps over the comma or the bracket.
    #[inline]
    pub(super) fn goes_on(&mut self, close: u8, is_first: bool) -> Option<bool> {
        let byte = self.first()?;
        if byte == close {
            self.at += 1;
            return Some(false);
        }
        if !is_first {
            if byte != b',' {
                return None;
            }
            self.at += 1;
        }
        Some(true)
    }

    #[inline]
    pub(super) fn colon(&mut self) -> Option<()> {
        if self.first()? != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    #[inline]
    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if !rest.starts_with(word.as_bytes()) {
            return None;
        }
        self.at += word.len();
        Some(())
    }

    /// Steps over this token if it is what comes next, after any space.
    #[inline]
    pub(super) fn takes(&mut self, token: &str) -> bool {
        self.first().is_some() && self.word(token).is_some()
    }

    pub(super) fn key(&mut self) -> Option<Text<'t>> {
        match self.first()? {
            b'"' => self.text(),
            _ => None,
        }
    }

    /// The text whose opening quote was seen.
    #[inline]
    pub(super) fn text(&mut self) -> Option<Text<'t>> {
        self.at += 1;
        let start = self.at;
        let mut surplus = 0;
        loop {
            self.skip_plain();
            match self.peek()? {
                b'"' => break,
                b'\\' => surplus += self.escape()?,
                _ => return None,
            }
        }
        let spelling = self.since(start);
        self.at += 1;
        Some(Text { spelling, surplus })
    }

    /// Steps to the next quote, backslash or control character, eight bytes at a time.
    #[inline]
    fn skip_plain(&mut self) {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let (chunks, _) = rest.as_chunks::<8>();
        let mut passed = 0;
        for chunk in chunks {
            let stops = stops(u64::from_le_bytes(*chunk));
            if stops != 0 {
                self.at += passed + (stops.trailing_zeros() / 8) as usize;
                return;
            }
            passed += 8;
        }
        let tail = rest.get(passed..).unwrap_or_default();
        let is_plain = |byte: &&u8| !matches!(**byte, b'"' | b'\\' | 0..0x20);
        self.at += passed + tail.iter().take_while(is_plain).count();
    }

    /// Steps over an escape. Gives how many characters more it is spelled with than it stands for.
    fn escape(&mut self) -> Option<usize> {
        self.at += 1;
        let byte = self.peek()?;
        self.at += 1;
        match byte {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(1),
            b'u' => match self.code()? {
                0xd800..0xdc00 => {
                    self.word("\\u")?;
                    (0xdc00..0xe000).contains(&self.code()?).then_some(11)
                }
                0xdc00..0xe000 => None,
                _ => Some(5),
            },
            _ => None,
        }
    }

    /// Four hexadecimal digits.
    fn code(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// Steps over the number whose first byte was seen, if it is short and spelled as an integer.
    #[inline]
    pub(super) fn small_integer(&mut self) -> Option<i64> {
        /// So many digits fit into 64 bits whatever they are.
        const SAFE_DIGITS: usize = 18;
        let rest = self.text.as_bytes().get(self.at..)?;
        let (is_negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let mut value = 0;
        let mut length = 0;
        for digit in digits.iter().take_while(|byte| byte.is_ascii_digit()).take(SAFE_DIGITS) {
            value = value * 10 + i64::from(digit - b'0');
            length += 1;
        }
        let is_integer = !matches!(digits.get(length), Some(b'.' | b'e' | b'E' | b'0'..=b'9'));
        let begins_well = match digits {
            [b'0', ..] => length == 1 && !is_negative,
            _ => length > 0,
        };
        if !is_integer || !begins_well {
            return None;
        }
        self.at += usize::from(is_negative) + length;
        Some(if is_negative { -value } else { value })
    }

    /// The number whose first byte was seen. `None` too if it is beyond what a float can hold.
    pub(super) fn number(&mut self) -> Option<Number<'t>> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let digits_start = self.at;
        self.some_digits()?;
        let has_leading_zero = self.at - digits_start > 1 && self.since(digits_start).starts_with('0');
        if has_leading_zero {
            return None;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.some_digits()?;
        }
        let spelling = self.since(start);
        Some(Number { value: Num::parse(spelling)?, is_loose: is_loose_integer(spelling) })
    }

    fn some_digits(&mut self) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += length;
        (length > 0).then_some(())
    }
}

/// A bit for each byte that is a quote, a backslash or a control character. Bits above the lowest one may be wrong.
#[inline]
fn stops(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quotes = has_zero(bytes ^ (ONES * 0x22));
    let backslashes = has_zero(bytes ^ (ONES * 0x5c));
    let controls = bytes.wrapping_sub(ONES * 0x20) & !bytes;
    (quotes | backslashes | controls) & HIGHS
}
