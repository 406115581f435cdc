//! An error of serde, back to the value that it speaks of.
//!
//! serde_json tells where in the text it stopped: right after the value or key that a type refused. So the path is found
//! in the text, and no type is read a second time for it.

use super::{Problem, quoted};

/// The error as a problem of the value at which serde stopped.
pub(super) fn problem(error: &serde_json::Error, text: &str) -> Problem {
    let stopped = stop(text, error);
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let place = find(text, stopped);
    let (path, found) = match &place {
        Some(place) => (place.path.as_str(), quoted(text.get(place.start..place.end).unwrap_or_default())),
        None => ("", quoted(text.trim())),
    };
    let mut problem = describe(message, found);
    path.clone_into(&mut problem.path);
    problem
}

/// How many bytes serde had read.
fn stop(text: &str, error: &serde_json::Error) -> usize {
    let lines_before = error.line().saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(lines_before).map(str::len).sum();
    line_start + error.column()
}

/// serde's sentence, taken apart where it has one of its usual forms.
fn describe(message: &str, found: String) -> Problem {
    if let Some(name) = message.strip_prefix("missing field ") {
        return Problem::new(String::new(), format!("the key {name}"), found)
            .with_hint(format!("{name} is required"));
    }
    for form in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((_, expected)) =
            message.strip_prefix(form).and_then(|rest| rest.split_once(", expected "))
        {
            return Problem::new(String::new(), expected, found);
        }
    }
    let message: String = message.chars().take(300).collect();
    Problem::new(String::new(), "a value that the tool can read", found).with_hint(message)
}

/// A value of the text.
struct Place {
    path: String,
    start: usize,
    end: usize,
}

/// The value that ends at this byte, or else the innermost one around it.
fn find(text: &str, stopped: usize) -> Option<Place> {
    let mut cursor = Cursor { text, at: 0, stopped, path: String::new(), found: None };
    cursor.value();
    cursor.found
}

/// Goes through a text that is known to be JSON.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    stopped: usize,
    /// JSON pointer to where it is.
    path: String,
    found: Option<Place>,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, is_skipped: fn(u8) -> bool) {
        while self.peek().is_some_and(is_skipped) {
            self.at += 1;
        }
    }

    /// Values that contain the place are entered before they are left, so the innermost is noted last.
    fn value(&mut self) {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b',' || byte == b':');
        let start = self.at;
        match self.peek() {
            Some(b'{') => {
                self.at += 1;
                while self.goes_on(b'}') {
                    let key_start = self.at;
                    self.string();
                    let key = self.text.get(key_start..self.at).unwrap_or_default();
                    let Ok(key) = serde_json::from_str::<String>(key) else { return };
                    self.child(&key.replace('~', "~0").replace('/', "~1"));
                }
            }
            Some(b'[') => {
                self.at += 1;
                let mut index = 0;
                while self.goes_on(b']') {
                    self.child(&index.to_string());
                    index += 1;
                }
            }
            Some(b'"') => self.string(),
            _ => {
                self.skip(|byte| !matches!(byte, b',' | b'}' | b']') && !byte.is_ascii_whitespace());
                if self.at == start {
                    self.at = self.text.len();
                }
            }
        }
        if self.found.is_none() && start < self.stopped && self.stopped <= self.at {
            self.found = Some(Place { path: self.path.clone(), start, end: self.at });
        }
    }

    fn child(&mut self, step: &str) {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        self.value();
        self.path.truncate(length);
    }

    /// Whether another member or item comes; steps over the closing bracket if not.
    fn goes_on(&mut self, close: u8) -> bool {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b',');
        match self.peek() {
            None => false,
            Some(byte) if byte == close => {
                self.at += 1;
                false
            }
            Some(_) => true,
        }
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }
}
