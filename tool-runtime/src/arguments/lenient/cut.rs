//! What arrived of an object that was cut off.

use super::{Expect, Last, Open, Part, Reader};
use crate::arguments::readings::Truncated;
use crate::json::Node;

impl Reader<'_, '_> {
    /// Sums up what arrived before the text ended.
    pub(super) fn cut(&mut self, part: Part) -> Truncated {
        self.notes.closed_perhaps = self.notes.open_quote.and_then(|left| self.left_when_closed(left));
        Truncated {
            complete: self.complete(),
            cut: self.what_was_cut(part),
            rungs: self.notes.used.clone(),
            closable: self.is_closable(part).then(|| self.close_all()).flatten(),
        }
    }

    fn complete(&self) -> Vec<String> {
        match self.open.first() {
            Some(Open::Object(members, _)) => members.iter().map(|(key, _)| key.clone()).collect(),
            Some(Open::List(_)) | None => Vec::new(),
        }
    }

    /// The place that was being read, with how much of it arrived.
    fn what_was_cut(&self, part: Part) -> Option<String> {
        let path = self.path();
        match part {
            Part::Key(0) => None,
            Part::Key(arrived) => Some(format!("a key after {}", characters(arrived))),
            Part::Scalar(arrived) => Some(format!("`{path}` ({} arrived)", characters(arrived))),
            Part::Between { .. } if matches!(self.expect, Expect::Colon | Expect::Value) => {
                Some(format!("`{path}` (nothing arrived)"))
            }
            Part::Between { .. } => match self.open.last() {
                Some(Open::List(items)) if !path.is_empty() => {
                    let plural = if items.len() == 1 { "" } else { "s" };
                    Some(format!("`{path}` ({} item{plural} arrived)", items.len()))
                }
                Some(Open::Object(members, _)) if !path.is_empty() => {
                    let plural = if members.len() == 1 { "" } else { "s" };
                    Some(format!("`{path}` ({} member{plural} arrived)", members.len()))
                }
                _ => None,
            },
        }
    }

    /// The keys and positions down to the place that was being read, joined by `/`.
    fn path(&self) -> String {
        let mut path = Vec::new();
        let innermost = self.open.len().saturating_sub(1);
        for (level, open) in self.open.iter().enumerate() {
            match open {
                Open::Object(_, key) => path.extend(key.clone()),
                Open::List(items) if level < innermost || self.expect != Expect::CommaOrEnd => {
                    path.push(items.len().to_string());
                }
                Open::List(_) => {}
            }
        }
        path.join("/")
    }

    /// Whether the cut falls right after a value whose end is certain.
    fn is_closable(&self, part: Part) -> bool {
        part == Part::Between { only_space: true }
            && self.expect == Expect::CommaOrEnd
            && matches!(self.last, Last::Certain | Last::Container)
            && self.notes.doubt.is_none()
    }

    /// How many bytes are left when all that is open is closed, if the text that is open ended when `left` bytes were left.
    fn left_when_closed(&self, left: usize) -> Option<usize> {
        let rest = self.text.get(self.text.len().checked_sub(left)?..)?;
        let mut depth = self.open.len();
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                return Some(left - at - 1);
            }
        }
        None
    }

    /// Ends all that is open.
    fn close_all(&mut self) -> Option<Node> {
        while !self.open.is_empty() {
            self.end_innermost();
        }
        self.root.take()
    }
}

fn characters(count: usize) -> String {
    if count == 1 { "1 character".to_owned() } else { format!("{count} characters") }
}
