//! Strict JSON into a [`Node`], without recursion. Accepts what `serde_json` accepts, and numbers of any size.

use std::fmt;

use super::Node;

/// How many lists and objects may be open at once; `serde_json` reads no deeper either.
pub(crate) const MAX_DEPTH: usize = 127;

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonError {
    pub(crate) fault: JsonFault,
    /// The byte of the text at which it shows.
    pub(crate) at: usize,
}

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonFault {
    /// All of the text reads as the beginning of a JSON value, which goes on.
    Ended,
    /// Something that JSON does not have there.
    Unexpected,
    /// More than [`MAX_DEPTH`] lists and objects are open.
    TooDeep,
    /// Half of a surrogate pair.
    LoneSurrogate,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault {
            JsonFault::Ended => write!(f, "the text ends after {} bytes, inside a value", self.at),
            JsonFault::Unexpected => write!(f, "the text is no JSON at byte {}", self.at),
            JsonFault::TooDeep => {
                write!(f, "lists and objects nest more than {MAX_DEPTH} levels at byte {}", self.at)
            }
            JsonFault::LoneSurrogate => write!(f, "half of a surrogate pair stands at byte {}", self.at),
        }
    }
}

impl std::error::Error for JsonError {}

/// A list or object whose end is still to come.
enum Open {
    Array(Vec<Node>),
    /// The members so far, and the key whose value is being read.
    Object(Vec<(String, Node)>, String),
}

pub(super) fn parse(text: &str) -> Result<Node, JsonError> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0 };
    let mut open = Vec::new();
    'value: loop {
        let Some(mut value) = reader.begin_value(&mut open)? else { continue };
        loop {
            reader.skip_whitespace();
            value = match open.pop() {
                None if reader.peek().is_none() => return Ok(value),
                None => return Err(reader.error(JsonFault::Unexpected)),
                Some(Open::Array(mut items)) => {
                    items.push(value);
                    if reader.goes_on(b']')? {
                        open.push(Open::Array(items));
                        continue 'value;
                    }
                    Node::Array(items)
                }
                Some(Open::Object(mut members, key)) => {
                    members.push((key, value));
                    if reader.goes_on(b'}')? {
                        let key = reader.key()?;
                        open.push(Open::Object(members, key));
                        continue 'value;
                    }
                    Node::Object(members)
                }
            };
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    /// A scalar or an empty container; `None` if a container was opened instead.
    fn begin_value(&mut self, open: &mut Vec<Open>) -> Result<Option<Node>, JsonError> {
        self.skip_whitespace();
        let Some(first) = self.peek() else { return Err(self.error(JsonFault::Ended)) };
        match first {
            b'{' | b'[' if open.len() >= MAX_DEPTH => Err(self.error(JsonFault::TooDeep)),
            b'{' => {
                self.at += 1;
                self.skip_whitespace();
                if self.eat(b'}') {
                    return Ok(Some(Node::Object(Vec::new())));
                }
                let key = self.key()?;
                open.push(Open::Object(Vec::new(), key));
                Ok(None)
            }
            b'[' => {
                self.at += 1;
                self.skip_whitespace();
                if self.eat(b']') {
                    return Ok(Some(Node::Array(Vec::new())));
                }
                open.push(Open::Array(Vec::new()));
                Ok(None)
            }
            b'"' => self.string().map(|text| Some(Node::String(text))),
            b't' => self.word("true", Node::Bool(true)).map(Some),
            b'f' => self.word("false", Node::Bool(false)).map(Some),
            b'n' => self.word("null", Node::Null).map(Some),
            _ => self.number().map(|spelling| Some(Node::Number(spelling))),
        }
    }

    /// Takes a comma (`true`) or the closing bracket (`false`).
    fn goes_on(&mut self, closer: u8) -> Result<bool, JsonError> {
        match self.next()? {
            b',' => Ok(true),
            byte if byte == closer => Ok(false),
            _ => Err(self.unexpected_before()),
        }
    }

    /// A key and its colon.
    fn key(&mut self) -> Result<String, JsonError> {
        self.skip_whitespace();
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return Err(self.error(JsonFault::Unexpected)),
            None => return Err(self.error(JsonFault::Ended)),
        }
        let key = self.string()?;
        self.skip_whitespace();
        match self.next()? {
            b':' => Ok(key),
            _ => Err(self.unexpected_before()),
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut content = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            content.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.next()? {
                b'"' => return Ok(content),
                b'\\' => content.push(self.escape()?),
                _ => return Err(self.unexpected_before()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        Ok(match self.next()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => return Err(self.unexpected_before()),
        })
    }

    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let first = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            for expected in [b'\\', b'u'] {
                if self.next()? != expected {
                    return Err(self.error(JsonFault::LoneSurrogate));
                }
            }
            let second = self.hex()?;
            if !(0xdc00..0xe000).contains(&second) {
                return Err(self.error(JsonFault::LoneSurrogate));
            }
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        char::from_u32(code).ok_or(self.error(JsonFault::LoneSurrogate))
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = char::from(self.next()?).to_digit(16);
            code = code * 16 + digit.ok_or(self.unexpected_before())?;
        }
        Ok(code)
    }

    fn word(&mut self, word: &str, value: Node) -> Result<Node, JsonError> {
        for expected in word.bytes() {
            if self.next()? != expected {
                return Err(self.unexpected_before());
            }
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _sign = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default().to_owned())
    }

    /// One digit or more.
    fn digits(&mut self) -> Result<(), JsonError> {
        if !self.next()?.is_ascii_digit() {
            return Err(self.unexpected_before());
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Result<u8, JsonError> {
        let byte = self.peek().ok_or(self.error(JsonFault::Ended))?;
        self.at += 1;
        Ok(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn error(&self, fault: JsonFault) -> JsonError {
        JsonError { fault, at: self.at }
    }

    /// The byte just taken does not belong there.
    fn unexpected_before(&self) -> JsonError {
        JsonError { fault: JsonFault::Unexpected, at: self.at.saturating_sub(1) }
    }
}
