//! From the text of a patch to its operations. Lenient where a text has one reading, and nowhere else.

mod marker;
mod reader;

use super::explain::Failure;
use marker::Marker;
use reader::Reader;

/// What one patch asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operation<'t> {
    /// The file, as it was written.
    pub(super) path: &'t str,
    /// The line of the patch at which the operation begins, from 1.
    pub(super) line: usize,
    pub(super) change: Change<'t>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change<'t> {
    /// A new file of these lines.
    Add(Vec<&'t str>),
    Delete,
    Update {
        move_to: Option<&'t str>,
        hunks: Vec<Hunk<'t>>,
    },
}

/// A change of neighbouring lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Hunk<'t> {
    /// The line of the patch at which it begins, from 1.
    pub(super) line: usize,
    /// Lines of the file that come before it, outermost first.
    pub(super) anchors: Vec<&'t str>,
    pub(super) body: Vec<(Mark, &'t str)>,
    /// Whether it ends where the file ends.
    pub(super) at_end: bool,
}

/// What shall become of a line of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Keep,
    Remove,
    Add,
}

impl<'t> Hunk<'t> {
    /// The lines that the file has where the hunk fits.
    pub(super) fn old(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.body.iter().filter(|(mark, _)| *mark != Mark::Add).map(|(_, text)| *text)
    }

    /// How many lines at its end are only there to find it.
    pub(super) fn trailing(&self) -> usize {
        self.body.iter().rev().take_while(|(mark, _)| *mark == Mark::Keep).count()
    }

    pub(super) fn count(&self, wanted: Mark) -> usize {
        self.body.iter().filter(|(mark, _)| *mark == wanted).count()
    }
}

/// Reads a patch.
///
/// # Errors
///
/// All lines that cannot be read, in order; or that there is no operation.
pub(super) fn parse(text: &str) -> Result<Vec<Operation<'_>>, Vec<Failure>> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = lines.iter().any(|line| Marker::of(line) == Some(Marker::Begin));
    // Blanks before the last marker cannot make a line of context of it.
    let last = lines.iter().rposition(|line| !line.trim().is_empty());
    let mut reader = Reader::new(begins);
    for (index, line) in lines.iter().enumerate() {
        if Some(index) == last && Marker::of(line) == Some(Marker::End) {
            break;
        }
        reader.read(index + 1, line);
    }
    match reader.finish() {
        Ok(operations) if operations.is_empty() => Err(vec![Failure { line: 0, text: no_operation(text) }]),
        read => read,
    }
}

fn no_operation(text: &str) -> String {
    let what = if text.trim().is_empty() {
        "the patch is empty"
    } else if text.lines().any(|line| line.starts_with("--- ") || line.starts_with("diff --git ")) {
        "this is a diff of another form"
    } else {
        "the patch holds no operation"
    };
    format!(
        "{what}; a patch is a line `*** Begin Patch`, operations that begin with a line such as \
         `*** Update File: path`, and a line `*** End Patch`"
    )
}
