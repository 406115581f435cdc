//! The hunks of one file: each is placed, and then all are done.

use super::explain::{Explainer, Failure};
use super::ladder::{Index, Steps};
use super::parse::{Hunk, Mark};
use super::place::{Placed, place};
use super::text::{MAX_LINES, NoText, Text};

/// A file after its hunks.
pub(super) struct Edited {
    pub(super) bytes: Vec<u8>,
    pub(super) loose: Loose,
}

/// Hunks whose lines are not exactly those of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loose {
    pub(super) hunks: usize,
    /// The loosest rung of the ladder that was needed.
    pub(super) rung: usize,
}

impl Loose {
    pub(super) fn and(self, other: Self) -> Self {
        Self { hunks: self.hunks + other.hunks, rung: self.rung.max(other.rung) }
    }
}

/// Does the hunks of an update, which begins at `line` of the patch, on a file that holds `bytes`.
///
/// # Errors
///
/// Every hunk that has no place, or why the file cannot be changed by hunks at all.
pub(super) fn edit(
    path: &str,
    line: usize,
    bytes: &[u8],
    hunks: &[Hunk<'_>],
    steps: &Steps,
    explainer: &mut Explainer,
) -> Result<Edited, Vec<Failure>> {
    let refused = |text| vec![Failure { line, text }];
    let text = Text::new(bytes).map_err(|reason| {
        refused(match reason {
            NoText::Binary => format!("`{path}` is no text that a patch can change: it holds NUL bytes"),
            NoText::TooManyLines => {
                format!("`{path}` has over {MAX_LINES} lines, the most that a patch can change")
            }
        })
    })?;
    let adds_more_than_ascii =
        |hunk: &Hunk<'_>| hunk.body.iter().any(|(mark, l)| *mark == Mark::Add && !l.is_ascii());
    if hunks.iter().any(adds_more_than_ascii) && !text.is_utf8() {
        return Err(refused(format!(
            "`{path}` is not UTF-8, so only lines of ASCII characters can be added to it"
        )));
    }
    let index = Index::new(&text);
    let mut places: Vec<Placed> = Vec::with_capacity(hunks.len());
    let mut failures = Vec::new();
    for (number, (hunk, placed)) in (1..).zip(hunks.iter().zip(place(hunks, &index, steps))) {
        match placed {
            Ok(placed) => places.push(placed),
            Err(misfit) => {
                let reason = explainer.explain(&misfit, hunk, &index);
                let hunk_of = if hunks.len() == 1 { "the hunk".to_owned() } else { format!("hunk {number}") };
                failures.push(Failure { line: hunk.line, text: format!("{hunk_of} of `{path}` {reason}") });
            }
        }
    }
    if !failures.is_empty() {
        return Err(failures);
    }
    let loose = places.iter().filter(|placed| placed.rung > 0);
    let loose = loose.fold(Loose::default(), |sum, placed| sum.and(Loose { hunks: 1, rung: placed.rung }));
    let bytes = text.edit(places.iter().map(|placed| placed.at).zip(hunks));
    Ok(Edited { bytes, loose })
}
