//! Reads a command line far enough to know which programs it names. It is for labels and notes only, and stops where it is
//! not certain any more: a word taken for a program that is none would show what must not be shown.

mod quotes;
#[cfg(test)]
mod tests;

use std::iter::{self, Peekable};
use std::mem;
use std::str::Chars;

/// The words of one simple command: a program and its arguments, without assignments and redirections. Quotes are taken
/// off; a `$` or `` ` `` stands where the shell puts something in.
pub(super) type Words = Vec<String>;

/// Words of shells that stand before a command.
const BEFORE_A_COMMAND: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"];
/// Words of shells whose simple command is none.
const NO_COMMAND: &[&str] = &["for", "select", "function", "fi", "done", "}"];
/// Words of shells that make what follows too hard to read.
const TOO_HARD: &[&str] = &["case", "coproc"];

/// What a command line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    /// Its simple commands, in order, as far as it was read.
    pub(super) commands: Vec<Words>,
    /// Whether all of it was read.
    pub(super) is_whole: bool,
}

impl CommandLine {
    pub(super) fn read(line: &str) -> Self {
        let mut reader = Reader {
            chars: line.chars().peekable(),
            commands: Vec::new(),
            words: Vec::new(),
            documents: Vec::new(),
            depth: 0,
        };
        let is_whole = reader.read().is_some();
        reader.end_command();
        Self { commands: reader.commands, is_whole }
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    commands: Vec<Words>,
    /// Of the command being read.
    words: Words,
    /// Here-documents that begin with the next line.
    documents: Vec<Document>,
    depth: u32,
}

struct Document {
    end: String,
    may_be_indented: bool,
}

/// Each function that reads gives `None` where it is not certain any more.
impl Reader<'_> {
    fn read(&mut self) -> Option<()> {
        while let Some(c) = self.chars.peek().copied() {
            match c {
                '\n' => {
                    self.chars.next();
                    self.end_command();
                    self.skip_documents()?;
                }
                ' ' | '\t' | '\r' => {
                    self.chars.next();
                }
                '#' => self.skip_line(),
                '(' => self.open_parenthesis()?,
                ';' | '|' | ')' => {
                    self.chars.next();
                    self.end_command();
                }
                '&' => {
                    self.chars.next();
                    if self.chars.next_if_eq(&'>').is_some() {
                        self.chars.next_if_eq(&'>');
                        self.skip_target()?;
                    } else {
                        self.end_command();
                    }
                }
                '<' | '>' => self.redirection()?,
                _ => self.word()?,
            }
        }
        self.documents.is_empty().then_some(())
    }

    fn word(&mut self) -> Option<()> {
        let word = self.read_word()?;
        let is_plain = word.quoted_from.is_none();
        let names_a_stream = matches!(self.chars.peek(), Some('<' | '>'))
            && word.text.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain && (word.text.is_empty() || names_a_stream) {
            return Some(());
        }
        if self.words.is_empty() {
            if is_plain && TOO_HARD.contains(&word.text.as_str()) {
                return None;
            }
            if is_plain && BEFORE_A_COMMAND.contains(&word.text.as_str()) {
                return Some(());
            }
            if word.is_assignment() {
                // A list of values.
                return if self.chars.next_if_eq(&'(').is_some() {
                    self.skip_balanced(')')
                } else {
                    Some(())
                };
            }
            if is_plain && word.text == "[[" {
                return self.condition();
            }
        }
        self.words.push(word.text);
        match self.chars.peek() {
            Some('(') if self.words.len() == 1 => self.head_of_function(),
            // A pattern with alternatives.
            Some('(') => None,
            _ => Some(()),
        }
    }

    /// A parenthesis that stands alone: a group of commands, or arithmetic.
    fn open_parenthesis(&mut self) -> Option<()> {
        if self.words.len() == 1 && self.words != ["for"] {
            return self.head_of_function();
        }
        self.chars.next();
        match self.chars.peek() {
            Some('(') => self.skip_balanced(')'),
            _ if self.words.is_empty() => Some(()),
            _ => None,
        }
    }

    /// `name ()`; nothing else may stand there.
    fn head_of_function(&mut self) -> Option<()> {
        self.chars.next();
        self.words.clear();
        self.chars.next_if_eq(&')').map(|_| ())
    }

    fn redirection(&mut self) -> Option<()> {
        let operator = self.chars.next()?;
        match (operator, self.chars.peek()) {
            (_, Some('(')) => {
                self.chars.next();
                return self.skip_balanced(')');
            }
            ('<', Some('<')) => {
                self.chars.next();
                if self.chars.next_if_eq(&'<').is_none() {
                    return self.document();
                }
            }
            ('<', Some('&' | '>')) | ('>', Some('>' | '&' | '|')) => {
                self.chars.next();
            }
            _ => {}
        }
        self.skip_target()
    }

    fn skip_target(&mut self) -> Option<()> {
        self.skip_blanks();
        let word = self.read_word()?;
        // Another operator, or nothing.
        (!word.text.is_empty() || word.quoted_from.is_some()).then_some(())
    }

    fn skip_blanks(&mut self) {
        while self.chars.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
    }

    fn document(&mut self) -> Option<()> {
        let may_be_indented = self.chars.next_if_eq(&'-').is_some();
        self.skip_blanks();
        let end = self.read_word()?.text;
        self.documents.push(Document { end, may_be_indented });
        Some(())
    }

    fn skip_documents(&mut self) -> Option<()> {
        for document in mem::take(&mut self.documents) {
            loop {
                self.chars.peek()?;
                let line: String = iter::from_fn(|| self.chars.next_if(|c| *c != '\n')).collect();
                self.chars.next();
                let line = if document.may_be_indented { line.trim_start_matches('\t') } else { &line };
                if line == document.end {
                    break;
                }
            }
        }
        Some(())
    }

    fn skip_line(&mut self) {
        while self.chars.next_if(|c| *c != '\n').is_some() {}
    }

    /// Behind `[[`, where `&&` and `<` belong to the condition.
    fn condition(&mut self) -> Option<()> {
        self.words.push("[[".to_owned());
        loop {
            let parts = [' ', '\t', '\r', '\n', '&', '|', '<', '>', '(', ')', ';'];
            if self.chars.next_if(|c| parts.contains(c)).is_some() {
                continue;
            }
            self.chars.peek()?;
            if self.read_word()?.text == "]]" {
                return Some(());
            }
        }
    }

    fn end_command(&mut self) {
        let words = mem::take(&mut self.words);
        if words.first().is_some_and(|first| !NO_COMMAND.contains(&first.as_str())) {
            self.commands.push(words);
        }
    }
}
