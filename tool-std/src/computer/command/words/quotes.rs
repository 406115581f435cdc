//! One word of a shell: its quotes, and what is put into it.

use super::Reader;

/// How deep quotes and parentheses are followed.
const MAX_DEPTH: u32 = 30;

/// A word as it was read.
pub(super) struct Word {
    pub(super) text: String,
    /// Where in the text the first quoted part is.
    pub(super) quoted_from: Option<usize>,
}

/// Each function that reads gives `None` where it is not certain any more.
impl Reader<'_> {
    pub(super) fn read_word(&mut self) -> Option<Word> {
        let mut word = Word { text: String::new(), quoted_from: None };
        while let Some(c) = self.chars.peek().copied() {
            if matches!(c, ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>') {
                break;
            }
            self.chars.next();
            match c {
                '\\' => match self.chars.next()? {
                    '\n' => {}
                    escaped => {
                        word.quoted();
                        word.text.push(escaped);
                    }
                },
                '\'' => {
                    word.quoted();
                    self.single_quoted(&mut word.text)?;
                }
                '"' => {
                    word.quoted();
                    self.double_quoted(&mut word.text)?;
                }
                '$' | '`' => {
                    word.text.push(c);
                    self.expansion(c)?;
                }
                _ => word.text.push(c),
            }
        }
        Some(word)
    }

    fn single_quoted(&mut self, word: &mut String) -> Option<()> {
        loop {
            match self.chars.next()? {
                '\'' => return Some(()),
                c => word.push(c),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut String) -> Option<()> {
        loop {
            match self.chars.next()? {
                '"' => return Some(()),
                '\\' => word.push(self.chars.next()?),
                c @ ('$' | '`') => {
                    word.push(c);
                    // Quotes are no quotes in there, which is too hard to follow.
                    if self.chars.peek() == Some(&'\'') {
                        continue;
                    }
                    self.expansion(c)?;
                }
                c => word.push(c),
            }
        }
    }

    /// What stands behind a `$`, if it is more than a name, or a `` ` ``.
    fn expansion(&mut self, sign: char) -> Option<()> {
        if sign == '`' {
            return self.skip_backquoted();
        }
        match self.chars.peek() {
            Some('(') => {
                self.chars.next();
                self.skip_balanced(')')
            }
            Some('{') => {
                self.chars.next();
                self.skip_balanced('}')
            }
            Some('\'') => {
                // A text with escapes, in which a quote can be escaped too.
                self.chars.next();
                loop {
                    match self.chars.next()? {
                        '\'' => return Some(()),
                        '\\' => {
                            self.chars.next()?;
                        }
                        _ => {}
                    }
                }
            }
            _ => Some(()),
        }
    }

    fn skip_backquoted(&mut self) -> Option<()> {
        loop {
            match self.chars.next()? {
                '`' => return Some(()),
                '\\' => {
                    self.chars.next()?;
                }
                _ => {}
            }
        }
    }

    /// Skips to the `end` of what has been opened.
    pub(super) fn skip_balanced(&mut self, end: char) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut last = ['\0'; 4];
        loop {
            let c = self.chars.next()?;
            last = [last[1], last[2], last[3], c];
            match c {
                c if c == end => break,
                '\\' => {
                    self.chars.next()?;
                }
                '`' => self.skip_backquoted()?,
                '"' => self.double_quoted(&mut String::new())?,
                '(' => self.skip_balanced(')')?,
                '{' => self.skip_balanced('}')?,
                '\'' if end == ')' => self.single_quoted(&mut String::new())?,
                // Within braces it depends on what is around them.
                '\'' => return None,
                // A comment or a document may hold anything, and patterns a parenthesis without its other half.
                '#' if end == ')' => return None,
                '<' if self.chars.peek() == Some(&'<') => return None,
                _ if last == ['c', 'a', 's', 'e'] => return None,
                _ => {}
            }
        }
        self.depth -= 1;
        Some(())
    }
}

impl Word {
    fn quoted(&mut self) {
        self.quoted_from.get_or_insert(self.text.len());
    }

    /// Whether it sets a variable.
    pub(super) fn is_assignment(&self) -> bool {
        let Some((name, _)) = self.text.split_once('=') else { return false };
        if self.quoted_from.is_some_and(|from| from <= name.len()) {
            return false;
        }
        let name = name.strip_suffix('+').unwrap_or(name);
        let name = name.split_once('[').map_or(name, |(name, _)| name);
        name.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }
}
