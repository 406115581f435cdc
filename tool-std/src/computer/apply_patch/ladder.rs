//! When a line of a patch counts as a line of the file: exactly, and then step by step with more forgiven.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::text::Text;

/// Tried in order. Each step forgives what the ones before it do, and one thing more.
pub(super) const LADDER: &[Rung] = &[
    Rung { forgives: "", form: |line| Cow::Borrowed(line) },
    Rung { forgives: "blanks at the ends of lines", form: |line| Cow::Borrowed(line.trim_end()) },
    Rung { forgives: "indentation", form: |line| Cow::Borrowed(line.trim()) },
    Rung { forgives: "blanks within lines", form: |line| Cow::Owned(collapsed(line)) },
    Rung { forgives: "typographic characters", form: |line| Cow::Owned(collapsed(&plain(line))) },
];

/// The rung at which lines are compared to say which are near.
pub(super) const TRIMMED: usize = 2;

/// One step: lines are equal if their forms are.
pub(super) struct Rung {
    /// What may differ, for the report.
    pub(super) forgives: &'static str,
    form: for<'l> fn(&'l str) -> Cow<'l, str>,
}

fn collapsed(line: &str) -> String {
    let mut collapsed = String::with_capacity(line.len());
    for word in line.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// Typographic quotes and dashes as they are typed. Special spaces are white space to the other steps already.
fn plain(line: &str) -> String {
    line.chars()
        .map(|c| match c {
            '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
            '\u{201c}'..='\u{201f}' | '\u{2033}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            c => c,
        })
        .collect()
}

/// Where the lines of a file are, by their content at each rung.
pub(super) struct Index<'f> {
    text: &'f Text<'f>,
    rungs: Vec<OnceCell<Lines<'f>>>,
}

/// The lines at one rung. Equal ones have one number.
pub(super) struct Lines<'f> {
    rung: &'static Rung,
    numbers: HashMap<Cow<'f, str>, u32>,
    /// The number of each line; [`NO_TEXT`] for one that is not UTF-8, which equals nothing.
    lines: Vec<u32>,
    /// The lines of each number in ascending order, one number behind the other.
    places: Vec<u32>,
    /// Where in `places` each number begins, and where the last ends.
    begins: Vec<u32>,
}

const NO_TEXT: u32 = u32::MAX;

/// Lines to look for, by their numbers.
pub(super) struct Pattern {
    numbers: Vec<u32>,
    /// The line of it that the file has least often: the fewest places to look at.
    rarest: usize,
}

/// How many lines may be compared for one patch, so that repeated lines cannot make it slow.
pub(super) struct Steps(Cell<usize>);

impl Steps {
    pub(super) fn new(steps: usize) -> Self {
        Self(Cell::new(steps))
    }

    /// Whether there are none left.
    pub(super) fn are_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Uses some, and says whether any are left.
    pub(super) fn take(&self, steps: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(steps));
        !self.are_spent()
    }
}

impl<'f> Index<'f> {
    pub(super) fn new(text: &'f Text<'f>) -> Self {
        Self { text, rungs: LADDER.iter().map(|_| OnceCell::new()).collect() }
    }

    pub(super) fn text(&self) -> &'f Text<'f> {
        self.text
    }

    /// The rungs in order, each with the lines at it. Lines are numbered when a rung is first reached.
    pub(super) fn rungs(&self) -> impl Iterator<Item = (usize, &Lines<'f>)> {
        self.rungs
            .iter()
            .zip(LADDER)
            .map(|(lines, rung)| lines.get_or_init(|| Lines::of(self.text, rung)))
            .enumerate()
    }

    pub(super) fn at(&self, rung: usize) -> Option<&Lines<'f>> {
        self.rungs().nth(rung).map(|(_, lines)| lines)
    }
}

impl<'f> Lines<'f> {
    fn of(text: &Text<'f>, rung: &'static Rung) -> Self {
        let mut numbers = HashMap::new();
        let mut lines = Vec::with_capacity(text.len());
        for content in text.contents() {
            let fresh = small(numbers.len());
            lines.push(
                content.map_or(NO_TEXT, |content| *numbers.entry((rung.form)(content)).or_insert(fresh)),
            );
        }
        let (places, begins) = by_number(&lines, numbers.len());
        Self { rung, numbers, lines, places, begins }
    }

    /// The lines as a pattern; `None` if the file lacks one of them.
    pub(super) fn pattern<'l>(&self, lines: impl Iterator<Item = &'l str>) -> Option<Pattern> {
        let numbers = lines.map(|line| self.number(line)).collect::<Option<Vec<u32>>>()?;
        let rarest =
            (0..numbers.len()).min_by_key(|at| numbers.get(*at).map_or(0, |n| self.places_of(*n).len()))?;
        Some(Pattern { numbers, rarest })
    }

    /// Where the file has this line.
    pub(super) fn places(&self, line: &str) -> &[u32] {
        self.number(line).map_or(&[], |number| self.places_of(number))
    }

    /// The lines between `from` and `to` at which the pattern begins, in ascending order.
    pub(super) fn matches(
        &self,
        pattern: &Pattern,
        from: usize,
        to: usize,
        steps: &Steps,
    ) -> impl DoubleEndedIterator<Item = usize> {
        let rarest = pattern.rarest;
        let places = pattern.numbers.get(rarest).map_or(&[][..], |number| self.places_of(*number));
        let begin = places.partition_point(|place| (*place as usize) < from + rarest);
        let end = places.partition_point(|place| (*place as usize) < to + rarest).max(begin);
        let candidates = places.get(begin..end).unwrap_or_default();
        candidates
            .iter()
            .map(move |place| *place as usize - rarest)
            .filter(move |at| self.fits(pattern, *at, steps))
    }

    /// Whether the pattern begins at this line.
    pub(super) fn fits(&self, pattern: &Pattern, at: usize, steps: &Steps) -> bool {
        if steps.are_spent() {
            return false;
        }
        let Some(lines) = self.lines.get(at..at + pattern.numbers.len()) else { return false };
        let equal = lines.iter().zip(&pattern.numbers).take_while(|(line, wanted)| line == wanted).count();
        steps.take(equal + 1) && equal == lines.len()
    }

    /// Whether the file has this line there.
    pub(super) fn has(&self, line: &str, at: usize) -> bool {
        self.lines.get(at).is_some_and(|number| self.number(line) == Some(*number))
    }

    fn number(&self, line: &str) -> Option<u32> {
        self.numbers.get((self.rung.form)(line).as_ref()).copied()
    }

    fn places_of(&self, number: u32) -> &[u32] {
        let bound = |at: usize| self.begins.get(at).map_or(0, |begin| *begin as usize);
        let number = number as usize;
        self.places.get(bound(number)..bound(number + 1)).unwrap_or_default()
    }
}

/// The lines of each number, one number behind the other, and where each begins.
fn by_number(lines: &[u32], numbers: usize) -> (Vec<u32>, Vec<u32>) {
    let mut begins = vec![0_u32; numbers + 1];
    for line in lines.iter().filter(|line| **line != NO_TEXT) {
        if let Some(count) = begins.get_mut(*line as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for begin in &mut begins {
        sum += *begin;
        *begin = sum;
    }
    let mut free = begins.clone();
    let mut places = vec![0_u32; sum as usize];
    for (at, line) in lines.iter().enumerate() {
        if let Some(free) = free.get_mut(*line as usize)
            && let Some(place) = places.get_mut(*free as usize)
        {
            *place = small(at);
            *free += 1;
        }
    }
    (places, begins)
}

/// A file has fewer lines than this can hold, see [`MAX_LINES`](super::text::MAX_LINES).
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(NO_TEXT)
}
