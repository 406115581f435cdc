//! Which files a search looks at: what its `path` and `exclude` mean.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::places::{Kind, Place};
use super::{Computer, near, shown};

/// The most paths that a call may leave out.
const EXCLUDED: usize = 100;

// No doc comment: it would stand in the schema beside that of the parameter.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Exclude {
    /// Names and globs with commas or spaces between them.
    Text(String),
    /// Names and globs.
    List(Vec<String>),
}

/// The files that a search looks at.
#[derive(Debug)]
pub(super) struct Scope {
    /// The folder where it starts.
    pub(super) start: Place,
    /// The one file of `start` that it looks at, whatever the rules say.
    pub(super) file: Option<OsString>,
    /// What a path from `start` on must match.
    only: Option<GlobSet>,
    /// The same as it was written, if it is a glob.
    pub(super) glob: Option<String>,
    exclude: Gitignore,
    with_hidden: bool,
    /// That `path` leads to nothing, where it is taken for the end of a path or a part of one.
    pub(super) missing: Option<String>,
}

impl Scope {
    /// The scope of a call. `with_hidden` takes hidden files in although `path` names none.
    ///
    /// # Errors
    ///
    /// A sentence for the model when nothing is there.
    pub(super) fn of(
        computer: &Computer,
        path: Option<&str>,
        exclude: Option<&Exclude>,
        with_hidden: bool,
    ) -> Result<Self, String> {
        let found = Found::at(computer, path.unwrap_or("."))?;
        let mut scope = Self {
            start: found.start,
            file: None,
            only: None,
            glob: None,
            exclude: excluded(exclude)?,
            with_hidden: with_hidden || names_hidden(&found.rest),
            missing: None,
        };
        let rest = found.rest;
        if found.is_file {
            scope.file = Some(rest.into());
        } else if has_glob(&rest) {
            // Without a slash it is about names, at any depth.
            let everywhere = if path.is_some_and(|path| path.contains('/')) { "" } else { "**/" };
            scope.only = Some(globs([format!("{everywhere}{rest}"), format!("{everywhere}{rest}/**")])?);
            scope.glob = Some(rest);
        } else if !rest.is_empty() {
            let escaped = globset::escape(&rest);
            scope.only = Some(globs([format!("**/{escaped}"), format!("**/{escaped}/**")])?);
            scope.missing = Some(found.missing);
        }
        Ok(scope)
    }

    /// Whether a name alone says that it is left out.
    pub(super) fn leaves_out_name(&self, name: &OsStr) -> bool {
        if !self.with_hidden {
            return name.as_bytes().starts_with(b".");
        }
        name == ".git" && !self.start.inside().iter().any(|part| part == ".git")
    }

    /// Whether a path, from the allowed folder on, is left out.
    pub(super) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        if self.exclude.matched(path, is_folder).is_ignore() {
            return true;
        }
        let from_start = path.strip_prefix(self.start.inside()).unwrap_or(path);
        !is_folder && self.only.as_ref().is_some_and(|only| !only.is_match(from_start))
    }

    /// A path from the start on, as the model may write it.
    pub(super) fn shown(&self, path: &Path, computer: &Computer) -> String {
        shown::place(&self.real(path), computer.workspace())
    }

    /// The real path of a path from the start on.
    pub(super) fn real(&self, path: &Path) -> PathBuf {
        self.start.path().join(path)
    }
}

/// The deepest folder of a path that exists, and what of the path lies behind it.
struct Found {
    start: Place,
    rest: String,
    /// Whether `rest` is a file of `start`.
    is_file: bool,
    /// That `rest` is not there, and what is near; empty if nothing is missing.
    missing: String,
}

impl Found {
    fn at(computer: &Computer, path: &str) -> Result<Self, String> {
        let (places, workspace) = (computer.places(), computer.workspace());
        let whole = places.to_read(path, workspace).map_err(|error| error.to_string())?;
        match whole.status() {
            Ok((Kind::Folder, _)) => {
                return Ok(Self {
                    start: whole,
                    rest: String::new(),
                    is_file: false,
                    missing: String::new(),
                });
            }
            Ok((Kind::File, _)) => {
                let name = whole.inside().file_name().and_then(OsStr::to_str);
                let (Some(start), Some(name)) = (whole.folder(), name) else {
                    return Err(format!("`{path}` cannot be searched"));
                };
                return Ok(Self { start, rest: name.to_owned(), is_file: true, missing: String::new() });
            }
            Ok((other, _)) => return Err(format!("`{path}` is {}, no file", other.name())),
            Err(_) => {}
        }
        let missing = match whole.open_folder() {
            Err(error) => near::describe(&error, &whole, workspace),
            Ok(_) => format!("`{path}` cannot be searched"),
        };
        let up = |part| matches!(part, Component::ParentDir);
        for (at, _) in path.char_indices().rev().filter(|(_, c)| *c == '/').chain([(0, '/')]) {
            let (folder, rest) = path.split_at(at);
            let folder = match folder {
                "" if path.starts_with('/') => "/",
                "" => ".",
                folder => folder,
            };
            let rest = rest.trim_matches('/');
            let Ok(place) = places.to_read(folder, workspace) else { continue };
            if Path::new(rest).components().any(up) || rest.is_empty() {
                continue;
            }
            if matches!(place.status(), Ok((Kind::Folder, _))) {
                return Ok(Self { start: place, rest: rest.to_owned(), is_file: false, missing });
            }
        }
        Err(missing)
    }
}

/// Whether a text has what makes it a glob. Brackets alone do not, since names have them too.
pub(super) fn has_glob(text: &str) -> bool {
    text.contains(['*', '?']) || (text.contains('{') && text.contains('}'))
}

/// Whether a part of a path or pattern names something hidden.
pub(super) fn names_hidden(text: &str) -> bool {
    let hidden = |part: &str| part.starts_with('.') && !matches!(part, "." | "..");
    text.split('/').any(hidden)
}

/// # Errors
///
/// A sentence for the model when one is no glob.
pub(super) fn globs(globs: impl IntoIterator<Item = String>) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let parsed = GlobBuilder::new(&glob).literal_separator(true).build();
        set.add(parsed.map_err(|error| format!("`{glob}` is no glob: {}", error.kind()))?);
    }
    set.build().map_err(|error| format!("the globs cannot be used: {error}"))
}

fn excluded(exclude: Option<&Exclude>) -> Result<Gitignore, String> {
    let mut rules = GitignoreBuilder::new("");
    let listed = match exclude {
        None => Vec::new(),
        Some(Exclude::Text(text)) => separated(text),
        Some(Exclude::List(list)) => list.iter().flat_map(|text| separated(text)).collect(),
    };
    if listed.len() > EXCLUDED {
        return Err(format!("these are {} paths to leave out; give at most {EXCLUDED}", listed.len()));
    }
    for given in listed {
        let pattern = given.trim_start_matches('!').trim_start_matches("./").trim_start_matches('/');
        if pattern.is_empty() {
            continue;
        }
        let inner_slash = pattern.trim_end_matches('/').contains('/');
        // It is about any place, as names without a slash are.
        let anywhere = if inner_slash { "**/" } else { "" };
        let escape = if pattern.starts_with('#') { "\\" } else { "" };
        let line = format!("{anywhere}{escape}{pattern}");
        rules.add_line(None, &line).map_err(|error| format!("`{given}` cannot be excluded: {error}"))?;
    }
    rules.build().map_err(|error| format!("these paths cannot be excluded: {error}"))
}

/// The parts between commas and spaces, except inside of braces.
fn separated(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = text.split(move |c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    parts.filter(|part| !part.is_empty()).collect()
}
