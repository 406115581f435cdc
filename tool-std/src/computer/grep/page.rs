//! How found lines are shown.

use std::path::{Path, PathBuf};

use tool_runtime::ToolOutput;

use super::hits::{Hit, Line, Spot};
use super::search::{Found, LONGEST_LINE};
use super::{FoundLines, GrepPosition, Search};
use crate::computer::instead::Instead;
use crate::computer::shown::{self, Rows};
use crate::computer::stop::PATIENCE;
use crate::computer::walk::Walked;

/// The most characters of a page.
const PAGE: usize = 50_000;

impl Search<'_> {
    /// A page of matches behind the first `before`.
    pub(super) fn page(
        &self,
        found: Found,
        walked: &Walked,
        before: u64,
    ) -> Result<ToolOutput<FoundLines>, Instead> {
        let (lines, files, searched) = (found.lines, found.files, found.files_searched);
        let troubles = self.troubles(&found, walked);
        if found.hits.is_empty() {
            return Err("there are no more lines that match".to_owned().into());
        }
        let mut rows = Rows::up_to(PAGE);
        let last = self.show(found, &mut rows);
        let shown = before + last.shown;
        let has_more = !walked.is_partial && shown < lines;
        let cursor = last.spot.filter(|_| has_more).map(|last| {
            let position = GrepPosition { params: self.params.clone(), last, shown };
            self.computer.grep_cursors().keep(position)
        });
        let matches = shown::counted(lines, "match", "matches");
        let in_files = shown::counted(files, "file", "files");
        let mut note = if before == 0 && shown == lines {
            format!("{matches} in {in_files}, of {} searched", shown::number(searched))
        } else {
            format!("{} to {} of {matches} in {in_files}", shown::number(before + 1), shown::number(shown))
        };
        if let Some(cursor) = &cursor {
            note.push_str(&format!("; go on with cursor {cursor}"));
        }
        note.push_str(&troubles);
        let details = FoundLines { total_matched: lines, total_files_searched: searched, cursor };
        Ok(ToolOutput::text(rows.with_note(&note)).with_details(details))
    }

    /// Lines that are like the text, which is in none.
    pub(super) fn alike(&self, found: Found, walked: &Walked) -> ToolOutput<FoundLines> {
        let details = FoundLines {
            total_matched: found.lines,
            total_files_searched: found.files_searched,
            cursor: None,
        };
        let (lines, files) = (found.lines, shown::counted(found.files, "file", "files"));
        let troubles = self.troubles(&found, walked);
        let mut rows = Rows::up_to(PAGE);
        rows.push(&format!("no line has `{}`; maybe you meant:", self.text));
        let shown = self.show(found, &mut rows).shown;
        let lines = shown::counted(lines, "line that is", "lines that are");
        let note = format!("{shown} of {lines} like it, in {files}{troubles}");
        ToolOutput::text(rows.with_note(&note)).with_details(details)
    }

    /// That nothing was found.
    pub(super) fn empty(&self, found: &Found, walked: &Walked) -> Result<ToolOutput<FoundLines>, Instead> {
        let place = self.scope.file.as_deref().map_or(Path::new(""), Path::new);
        let place = self.scope.shown(place, self.computer);
        if self.scope.file.is_some() && found.files_binary > 0 {
            return Err(format!("`{place}` is no text, so it was not searched").into());
        }
        if let Some(missing) = &self.scope.missing
            && walked.files == 0
        {
            return Err(missing.clone().into());
        }
        let glob =
            self.scope.glob.as_ref().map_or(String::new(), |glob| format!(" of the files like `{glob}`"));
        let searched = shown::counted(found.files_searched, "file", "files");
        let left_out =
            if self.scope.file.is_some() { "" } else { ", hidden, ignored and binary ones left out" };
        let troubles = self.troubles(found, walked);
        let text = self.text;
        let message =
            format!("no line{glob} in `{place}` matches `{text}`; {searched} searched{left_out}{troubles}");
        let details = FoundLines { total_files_searched: found.files_searched, ..FoundLines::default() };
        Ok(ToolOutput::text(message).with_details(details))
    }

    /// What went otherwise than the caller may think, each behind a semicolon.
    fn troubles(&self, found: &Found, walked: &Walked) -> String {
        let mut troubles = String::new();
        let mut add = |trouble: String| troubles.extend(["; ", &trouble]);
        if walked.is_partial {
            let seconds = PATIENCE.as_secs();
            add(format!("not all: stopped after {seconds} seconds, so give a `path` further down"));
        }
        if let Some(note) = &self.pattern.note {
            add(note.clone());
        }
        if self.scope.missing.is_some() {
            let path = self.params.path.as_deref().unwrap_or_default();
            add(format!("`{path}` is no path here, these end with it or go through it"));
        }
        if let Some(path) = &found.too_long {
            let (path, longest) = (self.scope.shown(path, self.computer), LONGEST_LINE >> 20);
            add(format!("`{path}` was searched only up to a line longer than {longest} MiB"));
        }
        for (count, what) in [(walked.unread, "folder"), (found.files_unread, "file")] {
            if count > 0 {
                add(format!("{} could not be read", shown::counted(count, what, &format!("{what}s"))));
            }
        }
        troubles
    }

    /// Writes as many whole hits as fit.
    fn show(&self, found: Found, rows: &mut Rows) -> Last {
        let mut last = Last { shown: 0, spot: None, file: None, line: 0 };
        for (path, hit) in found.hits.into_iter() {
            let mut block = Vec::new();
            if last.file.as_ref() != Some(&path) {
                if last.file.is_some() {
                    block.push(String::new());
                }
                block.push(self.scope.shown(&path, self.computer));
                last.line = 0;
            }
            let number = hit_rows(&hit, last.line, &mut block);
            if !rows.push(&block.join("\n")) {
                break;
            }
            last.shown += 1;
            last.line = number;
            last.spot = Some(Spot { path: path.clone(), line: hit.line.number });
            last.file = Some(path);
        }
        last
    }
}

/// How far the rows go.
struct Last {
    shown: u64,
    spot: Option<Spot>,
    file: Option<PathBuf>,
    /// The last line that is shown of `file`; 0 for none.
    line: u64,
}

/// Writes a hit behind line `last`, with a mark where lines are left out between neighbours. Gives its last line.
fn hit_rows(hit: &Hit, last: u64, rows: &mut Vec<String>) -> u64 {
    let has_context = !hit.before.is_empty() || !hit.after.is_empty();
    let first = hit.before.first().unwrap_or(&hit.line).number;
    if has_context && last > 0 && first > last + 1 {
        rows.push(" --".to_owned());
    }
    let context = |line: &Line| format!(" {}-{}", line.number, line.text);
    rows.extend(hit.before.iter().map(context));
    rows.push(format!(" {}:{}", hit.line.number, hit.line.text));
    rows.extend(hit.after.iter().map(context));
    hit.after.last().unwrap_or(&hit.line).number
}
