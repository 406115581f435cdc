//! Finding files by name.

mod best;
mod query;

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use self::best::{Best, Hit};
use self::query::{Comparer, Query};
use super::Computer;
use super::instead::Instead;
use super::near::{self, Nearest};
use super::scope::{self, Exclude, Scope};
use super::shown::{self, Rows};
use super::stop::{self, PATIENCE, Stop};
use super::walk::{Entry, Visit, Walked, walk};

/// The most characters of a list.
const LIST: usize = 50_000;
/// How many files are shown when none fits well.
const SAMPLE: usize = 5;

/// Which files.
#[derive(Clone, Debug, Deserialize, JsonSchema, ToolParams)]
pub(crate) struct FindParams {
    /// What the path is like: words whose letters it holds in their order, with case only if a word has capitals; or
    /// globs, such as `*.rs` or `src/**/*.{ts,tsx}`. All must fit. Without it, all files are listed.
    pattern: Option<String>,
    /// Where to look: a folder, a file or a glob, from the workspace on. Otherwise the workspace.
    path: Option<String>,
    /// Names and globs to leave out.
    exclude: Option<Exclude>,
    /// The most files.
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "files_of_page")]
    limit: u32,
    /// Goes on where an earlier search ended, with its other parameters.
    cursor: Option<String>,
}

fn files_of_page() -> u32 {
    30
}

/// What [`find()`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundFiles {
    /// How many files fit, on all pages.
    pub total_matched: u64,
    /// How many files were looked at.
    pub total_files: u64,
    /// What to call with for the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Where a page ended.
#[derive(Debug)]
pub(super) struct FindPosition {
    params: FindParams,
    last: Hit,
    shown: u64,
}

/// Finds files by name or path, the best first. It is fuzzy: `usrctl` finds `user_controller.rs`.
///
/// Files that are hidden or that `.gitignore` names are left out, unless `path` or `pattern` names something hidden or
/// `path` is the ignored folder itself. Use `grep` to look into files, and `ls` to see one folder.
#[worker_tool(parallel, read_only, open_world = false, max_output = 210_000, activity = "Finding files")]
pub async fn find(
    #[state] computer: Computer,
    params: FindParams,
    context: ToolContext,
) -> Result<ToolOutput<FoundFiles>, ToolError> {
    stop::run(&context, move |stop| search(&computer, params, stop).or_else(Instead::result)).await
}

fn search(computer: &Computer, params: FindParams, stop: &Stop) -> Result<ToolOutput<FoundFiles>, Instead> {
    let position = computer.find_cursors().get(params.cursor.as_deref())?;
    let params = position.as_ref().map_or(params, |position| position.params.clone());
    let search = Search::of(computer, &params)?;
    let (found, walked) = search.run(position.as_ref().map(|position| &position.last), stop)?;
    if found.strong.found + found.weak.found == 0 {
        return search.nothing(&walked, stop);
    }
    search.page(found, &walked, position.as_ref().map_or(0, |position| position.shown))
}

struct Search<'a> {
    computer: &'a Computer,
    params: &'a FindParams,
    scope: Scope,
    query: Query,
}

/// What fits well, and the best of what does not.
struct Found<'a> {
    strong: Best<'a>,
    weak: Best<'a>,
}

impl<'a> Search<'a> {
    fn of(computer: &'a Computer, params: &'a FindParams) -> Result<Self, String> {
        let pattern = params.pattern.as_deref().unwrap_or_default();
        let hidden = pattern.split_whitespace().any(scope::names_hidden);
        let scope = Scope::of(computer, params.path.as_deref(), params.exclude.as_ref(), hidden)?;
        Ok(Self { computer, params, scope, query: Query::of(pattern)? })
    }

    fn run<'s>(&'s self, after: Option<&'s Hit>, stop: &Stop) -> Result<(Found<'s>, Walked), Instead> {
        let nothing =
            || Found { strong: Best::of(self.params.limit as usize, after), weak: Best::of(SAMPLE, None) };
        let finder = || Finder { query: &self.query, comparer: Comparer::new(), found: nothing() };
        let (finders, walked) = walk(&self.scope, stop, finder)?;
        let mut all = nothing();
        for finder in finders {
            all.strong.absorb(finder.found.strong);
            all.weak.absorb(finder.found.weak);
        }
        Ok((all, walked))
    }

    fn page(
        &self,
        found: Found<'_>,
        walked: &Walked,
        before: u64,
    ) -> Result<ToolOutput<FoundFiles>, Instead> {
        let is_weak = found.strong.found == 0;
        let best = if is_weak { found.weak } else { found.strong };
        let total = best.found;
        let hits = best.into_hits();
        if hits.is_empty() {
            return Err("there are no more files that fit".to_owned().into());
        }
        let mut rows = Rows::up_to(LIST);
        for hit in &hits {
            if !rows.push(&self.row(hit)) {
                break;
            }
        }
        let shown = before + rows.len() as u64;
        let last = rows.len().checked_sub(1).and_then(|at| hits.get(at));
        let has_more = !is_weak && !walked.is_partial && shown < total;
        let cursor = last.filter(|_| has_more).map(|last| {
            let position = FindPosition { params: self.params.clone(), last: last.clone(), shown };
            self.computer.find_cursors().keep(position)
        });
        let note = self.note(walked, is_weak, before..shown, total, cursor.as_deref());
        let details = FoundFiles { total_matched: total, total_files: walked.files, cursor };
        Ok(ToolOutput::text(rows.with_note(&note)).with_details(details))
    }

    fn row(&self, hit: &Hit) -> String {
        let path = self.scope.shown(&hit.path, self.computer);
        if hit.is_link { format!("{path} (a link)") } else { path }
    }

    fn note(
        &self,
        walked: &Walked,
        is_weak: bool,
        shown: std::ops::Range<u64>,
        total: u64,
        cursor: Option<&str>,
    ) -> String {
        let mut note = if is_weak {
            let pattern = self.params.pattern.as_deref().unwrap_or_default();
            format!(
                "weak matches only: no path is like `{pattern}`; these are the best of {}",
                shown::number(total)
            )
        } else if shown.start == 0 && shown.end == total {
            format!(
                "{} of {} that were looked at",
                shown::counted(total, "file", "files"),
                shown::number(walked.files)
            )
        } else {
            let (first, last) = (shown::number(shown.start + 1), shown::number(shown.end));
            format!("{first} to {last} of {} that fit", shown::counted(total, "file", "files"))
        };
        if let Some(cursor) = cursor {
            note.push_str(&format!("; go on with cursor {cursor}"));
        }
        self.add_troubles(&mut note, walked);
        note
    }

    fn add_troubles(&self, note: &mut String, walked: &Walked) {
        if walked.is_partial {
            let seconds = PATIENCE.as_secs();
            note.push_str(&format!(
                "; not all: stopped after {seconds} seconds, so give a `path` further down"
            ));
        }
        if walked.unread > 0 {
            let folders = shown::counted(walked.unread, "folder", "folders");
            note.push_str(&format!("; {folders} could not be read"));
        }
        if self.scope.missing.is_some() {
            let path = self.params.path.as_deref().unwrap_or_default();
            note.push_str(&format!("; `{path}` is no path here, these end with it or go through it"));
        }
    }

    /// What is said when no file fits: where was looked, and what is near.
    fn nothing(&self, walked: &Walked, stop: &Stop) -> Result<ToolOutput<FoundFiles>, Instead> {
        if let Some(missing) = &self.scope.missing
            && walked.files == 0
        {
            return Err(missing.clone().into());
        }
        let place = self.scope.shown(Path::new(""), self.computer);
        let looked_at = shown::counted(walked.files, "file", "files");
        let looked_at = format!("{looked_at} looked at, hidden and ignored ones left out");
        let mut message = match (&self.params.pattern, &self.scope.glob) {
            (None, None) => format!("there are no files in `{place}`, hidden and ignored ones left out"),
            (None, Some(glob)) => format!("no path in `{place}` matches `{glob}`"),
            (Some(pattern), None) => format!("no path in `{place}` is like `{pattern}`; {looked_at}"),
            (Some(pattern), Some(glob)) => {
                format!("no path in `{place}` matches `{glob}` and is like `{pattern}`; {looked_at}")
            }
        };
        self.add_troubles(&mut message, walked);
        if self.query.has_words() && !walked.is_partial {
            let pattern = self.params.pattern.as_deref().unwrap_or_default();
            let name = pattern.rsplit('/').next().unwrap_or(pattern);
            let namer = || Namer { scope: &self.scope, nearest: Nearest::to(name) };
            let (namers, _) = walk(&self.scope, stop, namer)?;
            let near = namers.into_iter().map(|namer| namer.nearest).reduce(Nearest::or);
            let near = near.map(Nearest::into_paths).unwrap_or_default();
            message.push_str(&near::did_you_mean(&near, self.computer.workspace()));
        }
        let details = FoundFiles { total_files: walked.files, ..FoundFiles::default() };
        Ok(ToolOutput::text(message).with_details(details))
    }
}

struct Finder<'a> {
    query: &'a Query,
    comparer: Comparer,
    found: Found<'a>,
}

impl Visit for Finder<'_> {
    fn visit(&mut self, entry: &Entry<'_>) {
        let Some(fit) = self.query.fit(entry.path, &mut self.comparer) else { return };
        // Among globs, and without a pattern, the order is that of names.
        let length = if self.query.has_words() { entry.path.as_os_str().len() } else { 0 };
        let best = if fit.is_weak { &mut self.found.weak } else { &mut self.found.strong };
        best.offer(fit, length, entry.path, entry.is_link);
    }
}

struct Namer<'a> {
    scope: &'a Scope,
    nearest: Nearest,
}

impl Visit for Namer<'_> {
    fn visit(&mut self, entry: &Entry<'_>) {
        if let Some(name) = entry.path.file_name().and_then(|name| name.to_str()) {
            self.nearest.add(name, || self.scope.real(entry.path));
        }
    }
}
