//! Pairs of an old and a new text: few or many lines, repeated ones, any characters, mixed line endings, no newline at the end.

use std::ops::Range;

/// A small generator of pseudo-random numbers (xorshift), so that a seed is one run for ever.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn number(&mut self, range: Range<usize>) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        range.start + usize::try_from(self.0 >> 33).unwrap() % range.len()
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.number(0..times) == 0
    }

    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.number(0..texts.len())]
    }
}

/// An old text and the new one.
pub(crate) struct Pair {
    pub(crate) old: String,
    pub(crate) new: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Endings {
    Lf,
    CrLf,
    Mixed,
}

const WORDS: &[&str] = &[
    "fn",
    "let",
    "x",
    "=",
    "1",
    "{",
    "}",
    "return",
    "größe",
    "naïve",
    "日本語",
    "🦀",
    "\"quoted\"",
    "'q'",
    "a-b",
    "\u{2014}",
    "\u{201c}curly\u{201d}",
    "\u{a0}",
    "+",
    "-",
    "@@",
    "***",
    "*** End Patch",
    "\\",
    "//",
    "e\u{301}",
    "\t",
    "  ",
    "0x1f",
];

impl Pair {
    pub(crate) fn generate(random: &mut Random) -> Self {
        let most = if random.once_in(5) { 200 } else { 30 };
        let length = random.number(0..most);
        // Few different lines make many repeated ones.
        let different = if random.once_in(3) { 4 } else { 1_000 };
        let endings = [Endings::Lf, Endings::Lf, Endings::CrLf, Endings::Mixed][random.number(0..4)];
        let known: Vec<String> = (0..different.min(length + 1)).map(|_| line(random)).collect();
        let old: Vec<(String, &str)> = (0..length)
            .map(|_| (known[random.number(0..known.len())].clone(), ending(endings, random)))
            .collect();
        let new = changed(&old, &known, random);
        // The end of a file stays as it was: the tool has no way to say otherwise. An empty file gets one.
        // An empty last line without a newline is none.
        let may_be_open =
            [&old, &new].iter().all(|lines| lines.last().is_some_and(|(line, _)| !line.is_empty()));
        let open = may_be_open && random.once_in(4);
        let start = if !old.is_empty() && !new.is_empty() && random.once_in(10) { "\u{feff}" } else { "" };
        let joined = |lines: &[(String, &str)]| {
            let mut text = String::from(start);
            for (line, ending) in lines {
                text.push_str(line);
                text.push_str(ending);
            }
            if open {
                let end = text.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest).len());
                text.truncate(end.unwrap_or(text.len()));
            }
            text
        };
        Self { old: joined(&old), new: joined(&new) }
    }
}

fn line(random: &mut Random) -> String {
    let indent = "    ".repeat(random.number(0..4));
    let words: Vec<&str> = (0..random.number(0..6)).map(|_| random.pick(WORDS)).collect();
    format!("{indent}{}", words.join(" "))
}

fn ending(endings: Endings, random: &mut Random) -> &'static str {
    match endings {
        Endings::CrLf => "\r\n",
        Endings::Mixed if random.once_in(2) => "\r\n",
        Endings::Lf | Endings::Mixed => "\n",
    }
}

/// A few changes of neighbouring lines. New lines end as the line above them does in the old text, or below at the top.
fn changed<'e>(old: &[(String, &'e str)], known: &[String], random: &mut Random) -> Vec<(String, &'e str)> {
    let mut new = Vec::new();
    let rate = [3, 10, 40][random.number(0..3)];
    let mut removed_last = false;
    for at in 0..=old.len() {
        if random.once_in(rate) || (old.is_empty() && at == 0) {
            for _ in 0..random.number(1..4) {
                let text = if random.once_in(3) {
                    known[random.number(0..known.len())].clone()
                } else {
                    line(random)
                };
                let above = at.checked_sub(1).and_then(|above| old.get(above)).or_else(|| old.first());
                new.push((text, above.map_or("\n", |(_, ending)| ending)));
            }
        }
        if let Some(kept) = old.get(at) {
            let again = if removed_last { 2 } else { rate };
            removed_last = random.once_in(again);
            if !removed_last {
                new.push(kept.clone());
            }
        }
    }
    new
}
