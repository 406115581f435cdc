//! Where the hunks of a file belong. There must be one way to place them, or none is placed.
//!
//! Hunks stand in the order of the lines that they change, and may share context. Each is placed once from the top, as early
//! as it can be, and once from the bottom, as late as it can be; if these are two places, the hunk is ambiguous. So a hunk
//! whose lines stand in the file several times is placed if the hunks around it, or its anchor, leave one place for it.

use super::ladder::{Index, Lines, Pattern, Steps};
use super::parse::Hunk;

/// Where a hunk belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Its first line, from 0.
    pub(super) at: usize,
    /// The rung of the ladder at which its lines are those of the file.
    pub(super) rung: usize,
}

/// Why a hunk has no place. Lines are counted from 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Misfit<'t> {
    /// The file has no such line, or not below the anchors before it.
    NoAnchor(&'t str),
    /// The file does not have its lines, one after the other.
    Nowhere,
    /// Its lines are only there, above the line from which on they can be.
    Above { at: usize, from: usize },
    /// It shall end where the file ends, and its lines are at most there.
    NotAtEnd { at: usize },
    /// Its lines, or its anchor if it only adds, are at all these places.
    Several { places: Vec<usize>, more: bool, only_adds: bool },
    /// It only adds lines and does not say where.
    Unsaid,
    /// Too many lines are alike to look on.
    GivenUp,
}

/// The most places that are named.
const NAMED: usize = 8;

/// Places each hunk of a file, or says why it has no place.
pub(super) fn place<'t>(
    hunks: &[Hunk<'t>],
    index: &Index<'_>,
    steps: &Steps,
) -> Vec<Result<Placed, Misfit<'t>>> {
    let mut from = 0;
    let mut found = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let first = find(hunk, index, from, steps);
        if let Ok(first) = &first {
            from = first.at + first.changed;
        }
        found.push(first);
    }
    let mut until = index.text().len();
    let mut placed = Vec::with_capacity(hunks.len());
    for first in found.into_iter().rev() {
        placed.push(first.and_then(|first| {
            let latest = first.latest(until, steps);
            let only = Placed { at: first.at, rung: first.rung };
            let result = if latest == first.at { Ok(only) } else { Err(first.several(until, steps)) };
            until = latest;
            result
        }));
    }
    placed.reverse();
    if steps.are_spent() {
        // What was not compared may be a place too.
        for placed in placed.iter_mut().filter(|placed| matches!(placed, Ok(_) | Err(Misfit::Nowhere))) {
            *placed = Err(Misfit::GivenUp);
        }
    }
    placed
}

/// The earliest place of a hunk, and what tells the others.
struct Found<'i, 'f> {
    at: usize,
    rung: usize,
    /// How many of its lines come before the next hunk: all but the context at its end.
    changed: usize,
    /// Where its last anchor can be; empty if it has none.
    anchors: Vec<usize>,
    looked_for: LookedFor<'i, 'f>,
}

enum LookedFor<'i, 'f> {
    /// These lines.
    Lines(&'i Lines<'f>, Pattern),
    /// The place below an anchor.
    Anchor,
    /// Nothing: there is one place.
    End,
}

/// The earliest place of a hunk at `from` or below.
fn find<'i, 'f, 't>(
    hunk: &Hunk<'t>,
    index: &'i Index<'f>,
    from: usize,
    steps: &Steps,
) -> Result<Found<'i, 'f>, Misfit<'t>> {
    let anchors = find_anchors(hunk, index, steps)?;
    let size = hunk.old().count();
    let (at, rung, looked_for) = if size == 0 {
        let (at, looked_for) = find_gap(hunk, &anchors, index.text().len(), from)?;
        (at, 0, looked_for)
    } else {
        // The anchor itself may be the first line of the hunk.
        let from = from.max(anchors.first().copied().unwrap_or(0));
        if hunk.at_end {
            find_at_end(hunk, index, from, steps)?
        } else {
            find_lines(hunk, index, from, steps)?
        }
    };
    let changed = size - hunk.trailing().min(size);
    Ok(Found { at, rung, changed, anchors, looked_for })
}

/// Where lines that are only added go.
fn find_gap<'i, 'f, 't>(
    hunk: &Hunk<'_>,
    anchors: &[usize],
    end: usize,
    from: usize,
) -> Result<(usize, LookedFor<'i, 'f>), Misfit<'t>> {
    if hunk.at_end || (end == 0 && anchors.is_empty()) {
        return Ok((end, LookedFor::End));
    }
    let below = anchors.iter().map(|anchor| anchor + 1).find(|below| *below >= from);
    match (below, anchors.last()) {
        (Some(at), _) => Ok((at, LookedFor::Anchor)),
        (None, Some(at)) => Err(Misfit::Above { at: *at, from }),
        (None, None) => Err(Misfit::Unsaid),
    }
}

fn find_at_end<'i, 'f, 't>(
    hunk: &Hunk<'_>,
    index: &'i Index<'f>,
    from: usize,
    steps: &Steps,
) -> Result<(usize, usize, LookedFor<'i, 'f>), Misfit<'t>> {
    let end = index.text().len();
    let mut elsewhere = None;
    for (rung, lines) in index.rungs() {
        let Some(pattern) = lines.pattern(hunk.old()) else { continue };
        let at = end.saturating_sub(hunk.old().count());
        if at >= from && lines.fits(&pattern, at, steps) {
            return Ok((at, rung, LookedFor::End));
        }
        elsewhere = elsewhere.or_else(|| lines.matches(&pattern, 0, end, steps).next_back());
    }
    Err(elsewhere.map_or(Misfit::Nowhere, |at| Misfit::NotAtEnd { at }))
}

fn find_lines<'i, 'f, 't>(
    hunk: &Hunk<'_>,
    index: &'i Index<'f>,
    from: usize,
    steps: &Steps,
) -> Result<(usize, usize, LookedFor<'i, 'f>), Misfit<'t>> {
    let end = index.text().len();
    for (rung, lines) in index.rungs() {
        let Some(pattern) = lines.pattern(hunk.old()) else { continue };
        let first = lines.matches(&pattern, from, end, steps).next();
        if let Some(at) = first {
            return Ok((at, rung, LookedFor::Lines(lines, pattern)));
        }
        // A place above is a better one than a looser match below: it says that the order is wrong.
        let above = lines.matches(&pattern, 0, from, steps).next_back();
        if let Some(at) = above {
            return Err(Misfit::Above { at, from });
        }
    }
    Err(Misfit::Nowhere)
}

/// Where the last anchor of a hunk can be: below the ones before it, each as near as it can be.
fn find_anchors<'t>(hunk: &Hunk<'t>, index: &Index<'_>, steps: &Steps) -> Result<Vec<usize>, Misfit<'t>> {
    let mut outer: Option<Vec<usize>> = None;
    for anchor in &hunk.anchors {
        let places = index.rungs().map(|(_, lines)| below(outer.as_deref(), lines.places(anchor), steps));
        outer = Some(places.into_iter().find(|places| !places.is_empty()).ok_or(Misfit::NoAnchor(anchor))?);
    }
    Ok(outer.unwrap_or_default())
}

/// The first of `places` below each of `outer`.
fn below(outer: Option<&[usize]>, places: &[u32], steps: &Steps) -> Vec<usize> {
    let all = places.iter().map(|place| *place as usize);
    let Some(outer) = outer else {
        steps.take(places.len());
        return all.collect();
    };
    steps.take(outer.len());
    let first_below = |outer: &usize| places.get(places.partition_point(|place| *place as usize <= *outer));
    let mut below: Vec<usize> = outer.iter().filter_map(first_below).map(|place| *place as usize).collect();
    below.dedup();
    below
}

impl Found<'_, '_> {
    /// The latest place at which the hunk ends its changes before `until`.
    fn latest(&self, until: usize, steps: &Steps) -> usize {
        let latest = match &self.looked_for {
            LookedFor::End => None,
            LookedFor::Anchor => self.anchors.iter().rev().map(|anchor| anchor + 1).find(|at| *at <= until),
            LookedFor::Lines(lines, pattern) => self.next_from().and_then(|from| {
                let to = (until + 1).saturating_sub(self.changed);
                lines.matches(pattern, from, to, steps).next_back()
            }),
        };
        latest.unwrap_or(self.at)
    }

    /// From where on another match would be another place: below an anchor the first match counts, so another one needs
    /// another anchor.
    fn next_from(&self) -> Option<usize> {
        if self.anchors.is_empty() {
            return Some(self.at);
        }
        self.anchors.iter().copied().find(|anchor| *anchor > self.at)
    }

    fn several<'t>(&self, until: usize, steps: &Steps) -> Misfit<'t> {
        let mut places: Vec<usize> = match &self.looked_for {
            LookedFor::End => Vec::new(),
            LookedFor::Anchor => self
                .anchors
                .iter()
                .copied()
                .filter(|anchor| (self.at..=until).contains(&(anchor + 1)))
                .collect(),
            LookedFor::Lines(lines, pattern) => {
                let to = (until + 1).saturating_sub(self.changed);
                lines.matches(pattern, self.at, to, steps).take(NAMED + 1).collect()
            }
        };
        let more = places.len() > NAMED;
        places.truncate(NAMED);
        Misfit::Several { places, more, only_adds: matches!(self.looked_for, LookedFor::Anchor) }
    }
}
