//! What the model reads about a hunk that has no place: why, what the file has instead, and what to do.

use std::collections::HashMap;

use super::ladder::{Index, Lines, TRIMMED};
use super::parse::Hunk;
use super::place::Misfit;
use super::report::quoted;
use crate::computer::shown;

/// Something that keeps a patch from being applied.
#[derive(Debug)]
pub(super) struct Failure {
    /// The line of the patch, from 1; 0 for the patch as a whole.
    pub(super) line: usize,
    /// A sentence that names the file.
    pub(super) text: String,
}

/// Explains misfits; bounded over a whole patch, since looking for what is like a line is slow.
#[derive(Debug)]
pub(super) struct Explainer {
    /// How many hunks more are looked for.
    hunks: usize,
    /// How many lines more are compared by likeness.
    comparisons: usize,
}

impl Default for Explainer {
    fn default() -> Self {
        Self { hunks: 10, comparisons: 5_000 }
    }
}

/// The most characters of a line that are compared.
const COMPARED: usize = 200;
/// The most places of a line that say where a hunk may have been meant.
const COMMON: usize = 50;
/// How alike lines are that are named as near, from 0 to 1.
const NEAR: f64 = 0.4;

impl Explainer {
    /// What is wrong with a hunk, as the rest of a sentence that begins with it.
    pub(super) fn explain(&mut self, misfit: &Misfit<'_>, hunk: &Hunk<'_>, index: &Index<'_>) -> String {
        match misfit {
            Misfit::Nowhere => {
                let near = self.near(hunk, index);
                format!("does not fit: its lines do not follow each other in the file{near}")
            }
            Misfit::NoAnchor(anchor) => {
                let near = self.like(anchor, index);
                format!(
                    "has the anchor {}, which is no line of the file{near}; an anchor is a whole line above the change",
                    quoted(anchor)
                )
            }
            Misfit::Above { at, from } => format!(
                "fits at line {} only, and is looked for from line {} on, below its anchor and the hunk before it; \
                 give hunks in the order of the file",
                at + 1,
                from + 1
            ),
            Misfit::NotAtEnd { at } => format!(
                "shall end where the file ends, and its lines are at line {} of {}; give the last lines of the file, or \
                 leave out `*** End of File`",
                at + 1,
                index.text().len()
            ),
            Misfit::Several { places, more, only_adds } => {
                let what = if *only_adds { "has an anchor that is" } else { "fits" };
                format!(
                    "{what} at lines {}; add lines around it, or an anchor `@@ line above it`, that only one of them has",
                    listed(places, *more)
                )
            }
            Misfit::Unsaid => {
                "only adds lines and does not say where; add a line before or after them as context, an \
                               anchor `@@ line above it`, or `*** End of File`"
                    .to_owned()
            }
            Misfit::GivenUp => {
                "was not placed, since too many lines of the file are alike; give fewer hunks in one \
                                patch"
                    .to_owned()
            }
        }
    }

    fn near(&mut self, hunk: &Hunk<'_>, index: &Index<'_>) -> String {
        let Some(rest) = self.hunks.checked_sub(1) else { return String::new() };
        self.hunks = rest;
        let Some(lines) = index.at(TRIMMED) else { return String::new() };
        match closest(hunk, lines) {
            Some(at) => first_difference(at, hunk, lines, index),
            None => {
                let longest = hunk.old().max_by_key(|line| line.trim().len()).unwrap_or_default();
                self.like(longest, index)
            }
        }
    }

    /// The lines of the file that are most like this one.
    fn like(&mut self, wanted: &str, index: &Index<'_>) -> String {
        let wanted = wanted.trim();
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (at, line) in index.text().contents().enumerate() {
            let Some(line) = line.map(str::trim) else { continue };
            // Lines of very different lengths are not alike.
            if line.is_empty() || line.len() > 2 * wanted.len() || wanted.len() > 2 * line.len() {
                continue;
            }
            let Some(rest) = self.comparisons.checked_sub(1) else { break };
            self.comparisons = rest;
            let likeness = strsim::sorensen_dice(start_of(wanted), start_of(line));
            if likeness >= NEAR {
                near.push((likeness, at));
            }
        }
        near.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        let near = near
            .iter()
            .take(3)
            .filter_map(|(_, at)| Some(format!("line {}, {}", at + 1, quoted(&index.text().shown(*at)?))));
        match near.collect::<Vec<_>>().join("; ") {
            near if near.is_empty() => String::new(),
            near => format!(" (most like {}: {near})", quoted(wanted)),
        }
    }
}

/// Where most lines of the hunk are lines of the file, at the same distances.
fn closest(hunk: &Hunk<'_>, lines: &Lines<'_>) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (offset, line) in hunk.old().enumerate().filter(|(_, line)| !line.trim().is_empty()).take(COMPARED) {
        let places = lines.places(line);
        if places.len() <= COMMON {
            for at in places.iter().filter_map(|place| (*place as usize).checked_sub(offset)) {
                *votes.entry(at).or_default() += 1;
            }
        }
    }
    let most = votes.into_iter().max_by_key(|(at, votes)| (*votes, std::cmp::Reverse(*at)));
    most.map(|(at, _)| at)
}

/// The first line of the hunk that is another one in the file, if the hunk is meant for this place.
fn first_difference(at: usize, hunk: &Hunk<'_>, lines: &Lines<'_>, index: &Index<'_>) -> String {
    let mut differing = hunk.old().zip(at..).filter(|(line, at)| !lines.has(line, *at));
    let Some((wanted, place)) = differing.next() else { return String::new() };
    let there = match index.text().shown(place) {
        Some(line) => format!("line {} is {}", place + 1, quoted(&line)),
        None => "the file ends".to_owned(),
    };
    let more = match differing.count() {
        0 => String::new(),
        more => format!(", and {} differ", shown::counted(more as u64, "more line", "more lines")),
    };
    format!("; at line {}, where it fits best, {there} where the hunk has {}{more}", at + 1, quoted(wanted))
}

fn start_of(line: &str) -> &str {
    shown::cut(line, COMPARED).unwrap_or(line)
}

/// Lines counted from 0 as a list of lines counted from 1.
fn listed(places: &[usize], more: bool) -> String {
    let mut numbers: Vec<String> = places.iter().map(|at| (at + 1).to_string()).collect();
    if more {
        numbers.push("more".to_owned());
    }
    match numbers.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => numbers.join(", "),
    }
}
