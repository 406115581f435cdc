//! Searching the content of files.

mod hits;
mod page;
mod pattern;
mod search;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use self::hits::Spot;
use self::pattern::{Case, Pattern};
use self::search::{Found, Grepper, Wanted};
use super::Computer;
use super::instead::Instead;
use super::scope::{Exclude, Scope};
use super::stop::{self, Stop};
use super::walk::{Walked, walk};

/// How many lines are shown when none matches, but some are like it.
const SAMPLE: usize = 5;

/// What to search for.
#[derive(Clone, Debug, Deserialize, JsonSchema, ToolParams)]
pub(crate) struct GrepParams {
    /// A regular expression or a text that stands within a line. Needed unless `cursor` is given.
    pattern: Option<String>,
    /// Where to search: a folder, a file or a glob such as `src/**/*.rs`. Otherwise the workspace.
    path: Option<String>,
    /// Names and globs to leave out.
    exclude: Option<Exclude>,
    /// Whether case counts. Left out, it counts if the pattern has a capital.
    #[serde(rename = "caseSensitive")]
    case_sensitive: Option<bool>,
    /// How many lines to show before and behind each match.
    #[schemars(range(max = 20))]
    #[serde(default)]
    context: u32,
    /// The most matches.
    #[schemars(range(min = 1, max = 50))]
    #[serde(default = "matches_of_page")]
    limit: u32,
    /// Goes on where an earlier search ended, with its other parameters.
    cursor: Option<String>,
}

fn matches_of_page() -> u32 {
    20
}

/// What [`grep()`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FoundLines {
    /// How many lines match, on all pages.
    pub total_matched: u64,
    /// How many files of text were searched.
    pub total_files_searched: u64,
    /// What to call with for the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Where a page ended.
#[derive(Debug)]
pub(super) struct GrepPosition {
    params: GrepParams,
    last: Spot,
    shown: u64,
}

/// Searches the content of files for a regular expression or a text, and shows the lines that match, by path.
///
/// Binary files are left out, and so are files that are hidden or that `.gitignore` names, unless `path` names something
/// hidden or is the ignored folder itself. Use `find` to look for file names.
#[worker_tool(parallel, read_only, open_world = false, max_output = 210_000, activity = "Searching files")]
pub async fn grep(
    #[state] computer: Computer,
    params: GrepParams,
    context: ToolContext,
) -> Result<ToolOutput<FoundLines>, ToolError> {
    stop::run(&context, move |stop| search(&computer, params, stop).or_else(Instead::result)).await
}

fn search(computer: &Computer, params: GrepParams, stop: &Stop) -> Result<ToolOutput<FoundLines>, Instead> {
    let position = computer.grep_cursors().get(params.cursor.as_deref())?;
    let params = position.as_ref().map_or(params, |position| position.params.clone());
    let search = Search::of(computer, &params)?;
    let wanted = Wanted {
        matcher: &search.pattern.matcher,
        context: params.context as usize,
        most: params.limit as usize,
        after: position.as_ref().map(|position| &position.last),
    };
    let (found, walked) = search.run(&wanted, stop)?;
    if found.lines > 0 {
        return search.page(found, &walked, position.as_ref().map_or(0, |position| position.shown));
    }
    search.nothing(&found, &walked, stop)
}

struct Search<'a> {
    computer: &'a Computer,
    params: &'a GrepParams,
    /// The pattern as it was written.
    text: &'a str,
    pattern: Pattern,
    scope: Scope,
}

impl<'a> Search<'a> {
    fn of(computer: &'a Computer, params: &'a GrepParams) -> Result<Self, String> {
        let text = params.pattern.as_deref().ok_or("say in `pattern` what to search for")?;
        let case = match params.case_sensitive {
            None => Case::Smart,
            Some(true) => Case::Counts,
            Some(false) => Case::Ignored,
        };
        let pattern = Pattern::of(text, case)?;
        let scope = Scope::of(computer, params.path.as_deref(), params.exclude.as_ref(), false)?;
        Ok(Self { computer, params, text, pattern, scope })
    }

    fn run(&self, wanted: &Wanted<'_>, stop: &Stop) -> Result<(Found, Walked), Instead> {
        let (greppers, walked) = walk(&self.scope, stop, || Grepper::of(wanted, stop))?;
        let mut found = Found::nothing(wanted.most);
        greppers.into_iter().for_each(|grepper| found.absorb(grepper.found));
        Ok((found, walked))
    }

    /// What is said when nothing matches: what is like the text, or where was looked.
    fn nothing(
        &self,
        found: &Found,
        walked: &Walked,
        stop: &Stop,
    ) -> Result<ToolOutput<FoundLines>, Instead> {
        let loose = self.pattern.loose(self.text).filter(|_| !walked.is_partial);
        let wanted = loose.as_ref().map(|matcher| Wanted { matcher, context: 0, most: SAMPLE, after: None });
        if let Some(wanted) = wanted {
            let (alike, again) = self.run(&wanted, stop)?;
            if alike.lines > 0 {
                return Ok(self.alike(alike, &again));
            }
        }
        self.empty(found, walked)
    }
}
