//! What a person and the model read about a patch: labels, the result, and what kept it from being applied.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::edit::Loose;
use super::explain::Failure;
use super::ladder::LADDER;
use super::parse::parse;
use super::stage::{Fate, File};
use crate::computer::shown;

/// What a patch has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatchReport {
    /// The files, in the order in which the patch names them.
    pub files: Vec<PatchedFile>,
}

/// What a patch has changed of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatchedFile {
    /// The path, as the patch has it; of a moved file, the one it had.
    pub path: String,
    /// What became of it.
    pub change: FileChange,
    /// The path to which it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// How many lines were added.
    pub added: usize,
    /// How many lines were removed; those of a deleted file are counted up to its largest size, 10 MiB.
    pub removed: usize,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// It is new.
    Added,
    /// It holds something else, or has another path.
    Modified,
    /// It is gone.
    Deleted,
}

/// The most characters of a message about failures.
const MAX_MESSAGE: usize = 4_000;
/// The most characters about one failure.
const MAX_FAILURE: usize = 1_000;
/// The most characters of a line that are quoted.
const MAX_QUOTED: usize = 120;

/// The report of a patch that was applied, and its text for the model: a line for each file.
pub(super) fn report(files: &[File<'_>]) -> (PatchReport, String) {
    let mut report = PatchReport::default();
    let mut lines = Vec::new();
    for file in files {
        let (letter, change) = match file.fate() {
            Fate::Nothing => continue,
            Fate::Added => ('A', FileChange::Added),
            Fate::Modified | Fate::Moved => ('M', FileChange::Modified),
            Fate::Deleted => ('D', FileChange::Deleted),
        };
        let path = if file.fate() == Fate::Added { file.to } else { file.from };
        let moved_to = (file.fate() == Fate::Moved).then(|| file.to.to_owned());
        let moved = moved_to.as_ref().map_or_else(String::new, |to| format!(" -> {to}"));
        let (added, removed) = (file.added, file.removed);
        lines.push(format!("{letter} {path}{moved} (+{added} -{removed}{})", loosely(file.loose)));
        report.files.push(PatchedFile { path: path.to_owned(), change, moved_to, added, removed });
    }
    (report, lines.join("\n"))
}

/// Says that the lines of hunks are not those of the file, so that the model does not rely on them.
fn loosely(loose: Loose) -> String {
    match LADDER.get(loose.rung).map(|rung| rung.forgives) {
        Some(what) if loose.hunks == 1 => format!("; 1 hunk fits but for {what}"),
        Some(what) if loose.hunks > 1 => format!("; {} hunks fit but for {what}", loose.hunks),
        _ => String::new(),
    }
}

/// What the model reads when a patch cannot be applied: everything that is wrong with it, bounded.
pub(super) fn refusal(failures: &[Failure]) -> String {
    let mut message = "the patch was not applied, and no file was changed".to_owned();
    for (done, Failure { line, text }) in failures.iter().enumerate() {
        let place = if *line == 0 { String::new() } else { format!("line {line} of the patch: ") };
        // A path can be as long as the patch.
        let text = shown::cut(text, MAX_FAILURE).map_or_else(|| text.clone(), |start| format!("{start}…"));
        let entry = format!("\n- {place}{text}");
        if message.chars().count() + entry.chars().count() > MAX_MESSAGE {
            let more = failures.len() - done;
            message.push_str(&format!("\n- and {more} more like these"));
            break;
        }
        message.push_str(&entry);
    }
    message
}

/// The label of a patch that is being applied. It names no content.
pub(super) fn editing(patch: &str) -> String {
    let paths: HashSet<&str> =
        parse(patch).unwrap_or_default().iter().map(|operation| operation.path).collect();
    match paths.len() {
        0 => "Editing files".to_owned(),
        files => format!("Editing {}", count(files)),
    }
}

/// The label of a patch that was applied.
pub(super) fn edited(_patch: &str, report: &PatchReport) -> String {
    let (added, removed) = report
        .files
        .iter()
        .fold((0, 0), |(added, removed), file| (added + file.added, removed + file.removed));
    format!("Edited {} (+{added} -{removed})", count(report.files.len()))
}

fn count(files: usize) -> String {
    shown::counted(files as u64, "file", "files")
}

/// A line in backticks, cut where it is long, and without control characters.
pub(super) fn quoted(line: &str) -> String {
    let start = shown::cut(line, MAX_QUOTED);
    let mut quoted = String::from("`");
    for c in start.unwrap_or(line).chars() {
        if c.is_control() { quoted.extend(c.escape_default()) } else { quoted.push(c) }
    }
    quoted.push_str(if start.is_some() { "…`" } else { "`" });
    quoted
}
