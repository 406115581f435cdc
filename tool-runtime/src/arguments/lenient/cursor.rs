//! A place in a text.

use std::str::Chars;

/// Moves over a text by characters. In tests every character looked at counts as a step.
#[derive(Clone, Debug)]
pub(in crate::arguments) struct Cursor<'t> {
    chars: Chars<'t>,
}

impl<'t> Cursor<'t> {
    pub(in crate::arguments) fn new(text: &'t str) -> Self {
        Self { chars: text.chars() }
    }

    /// The text from here on.
    pub(in crate::arguments) fn rest(&self) -> &'t str {
        self.chars.as_str()
    }

    pub(in crate::arguments) fn peek(&self) -> Option<char> {
        self.chars.clone().next()
    }

    pub(in crate::arguments) fn bump(&mut self) -> Option<char> {
        count_step();
        self.chars.next()
    }

    /// Takes `expected` if it stands here.
    pub(in crate::arguments) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.bump();
        }
        found
    }

    /// Takes all of `expected` if it stands here.
    pub(super) fn eat_all(&mut self, expected: &str) -> bool {
        let Some(rest) = self.rest().strip_prefix(expected) else { return false };
        count_step();
        self.chars = rest.chars();
        true
    }

    /// Takes all up to the first character that `stops`, or up to the end, and gives it as a text of its own.
    pub(in crate::arguments) fn take_up_to(&mut self, stops: impl Fn(char) -> bool) -> Self {
        let text = self.rest();
        while self.peek().is_some_and(|character| !stops(character)) {
            self.bump();
        }
        let taken = text.len() - self.rest().len();
        Self::new(text.get(..taken).unwrap_or_default())
    }
}

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many steps `work` takes.
#[cfg(test)]
pub(in crate::arguments) fn steps(work: impl FnOnce()) -> usize {
    STEPS.set(0);
    work();
    STEPS.get()
}

fn count_step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}
