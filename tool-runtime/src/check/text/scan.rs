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
    /// With the quotes.
    quoted: &'t str,
    /// How many characters the spelling has more than the text, because of escapes.
    surplus: usize,
}

impl<'t> Text<'t> {
    #[inline]
    pub(super) fn is_escaped(self) -> bool {
        self.surplus > 0
    }

    /// What stands between the quotes.
    #[inline]
    pub(super) fn spelling(self) -> &'t str {
        self.quoted.get(1..self.quoted.len() - 1).unwrap_or_default()
    }

    /// How many characters it has.
    pub(super) fn length(self) -> usize {
        self.spelling().chars().count().saturating_sub(self.surplus)
    }

    /// The text that is meant.
    pub(super) fn decoded(self) -> Option<Cow<'t, str>> {
        if !self.is_escaped() {
            return Some(Cow::Borrowed(self.spelling()));
        }
        match Node::parse(self.quoted) {
            Ok(Node::String(text)) => Some(Cow::Owned(text)),
            _ => None,
        }
    }
}

/// A number of the text.
pub(super) enum Spelled<'t> {
    /// Short and spelled as an integer.
    Integer(i64),
    Other(Number<'t>),
}

/// A number that is long or no plain integer.
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

    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        let rest = self.text.as_bytes().get(self.at..)?;
        if !rest.starts_with(word.as_bytes()) {
            return None;
        }
        self.at += word.len();
        Some(())
    }

    /// Steps over the next key if it is this one. The name must be one that is spelled without escapes.
    #[inline]
    pub(super) fn takes_key(&mut self, name: &str) -> bool {
        if self.first() != Some(b'"') {
            return false;
        }
        let start = self.at + 1;
        let end = start + name.len();
        let bytes = self.text.as_bytes();
        let is_it = bytes.get(start..end) == Some(name.as_bytes()) && bytes.get(end) == Some(&b'"');
        if is_it {
            self.at = end + 1;
        }
        is_it
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
        let start = self.at;
        let mut surplus = 0;
        self.at += 1;
        loop {
            self.skip_plain();
            match self.peek()? {
                b'"' => break,
                b'\\' => surplus += self.escape()?,
                _ => return None,
            }
        }
        self.at += 1;
        Some(Text { quoted: self.since(start), surplus })
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

    /// The number whose first byte was seen. `None` too if it is beyond what a float can hold.
    #[inline]
    pub(super) fn number(&mut self) -> Option<Spelled<'t>> {
        /// So many digits fit into 64 bits whatever they are.
        const SAFE_DIGITS: usize = 18;
        let start = self.at;
        let is_negative = self.peek() == Some(b'-');
        self.at += usize::from(is_negative);
        let digits_start = self.at;
        let value = self.digits();
        let length = self.at - digits_start;
        let has_leading_zero = length > 1 && self.text.as_bytes().get(digits_start) == Some(&b'0');
        if length == 0 || has_leading_zero {
            return None;
        }
        let goes_on = matches!(self.peek(), Some(b'.' | b'e' | b'E'));
        if !goes_on && length <= SAFE_DIGITS && !(is_negative && value == 0) {
            let value = value.cast_signed();
            return Some(Spelled::Integer(if is_negative { -value } else { value }));
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
        Some(Spelled::Other(Number { value: Num::parse(spelling)?, is_loose: is_loose_integer(spelling) }))
    }

    /// Steps over digits. Gives their value, of which only the last 64 bits are right if they are many.
    #[inline]
    fn digits(&mut self) -> u64 {
        let mut value = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        value
    }

    fn some_digits(&mut self) -> Option<()> {
        let start = self.at;
        self.digits();
        (self.at > start).then_some(())
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
