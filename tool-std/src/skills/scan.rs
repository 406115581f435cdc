//! Looks once through the roots for folders with a `SKILL.md`. What is wrong with one of them is noted and takes none of the
//! others down.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::FileType;

use super::files::{self, Entry, Unreadable};
use super::front;
use super::skill::{Skill, SkillProblem};
use crate::computer::Places;

/// The file that makes a folder a skill.
pub(super) const SKILL_FILE: &str = "SKILL.md";
/// The most skills of all roots.
const MAX_SKILLS: usize = 256;
/// How deep below its root a skill may lie.
const MAX_DEPTH: usize = 4;
/// The most folders of one root that are looked into.
const MAX_FOLDERS: usize = 2_000;
/// The most entries of one folder that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By name.
    pub(super) skills: Vec<Skill>,
    pub(super) problems: Vec<SkillProblem>,
}

/// Looks through `roots`, in their order. Of two skills with one name the first counts.
pub(super) fn scan(roots: impl IntoIterator<Item = PathBuf>) -> Found {
    let mut found = Found::default();
    for path in roots {
        match Places::reading(&path) {
            Ok(root) => {
                let mut walk = Walk { root: Arc::new(root), folders: 0, found: &mut found };
                let top = walk.root.home().to_path_buf();
                walk.folder(&top, 0);
            }
            Err(error) => found.problems.push(SkillProblem::new(path, error.reason())),
        }
    }
    keep_first_of_each_name(&mut found);
    found
}

fn keep_first_of_each_name(found: &mut Found) {
    let mut places: HashMap<String, PathBuf> = HashMap::new();
    let Found { skills, problems } = found;
    skills.retain(|skill| {
        if let Some(first) = places.get(skill.name()) {
            // One root inside of another finds the same folder twice.
            if first != skill.directory() {
                let reason =
                    format!("is named `{}`, as `{}` is, which comes first", skill.name(), first.display());
                problems.push(SkillProblem::new(skill.directory(), reason));
            }
            return false;
        }
        places.insert(skill.name().to_owned(), skill.directory().to_path_buf());
        true
    });
    if skills.len() > MAX_SKILLS {
        for skill in skills.drain(MAX_SKILLS..) {
            let reason = format!("is left out: {MAX_SKILLS} skills are the most");
            problems.push(SkillProblem::new(skill.directory, reason));
        }
    }
    skills.sort_by(|a, b| a.name().cmp(b.name()));
}

struct Walk<'a> {
    root: Arc<Places>,
    folders: usize,
    found: &'a mut Found,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path, depth: usize) {
        self.folders += 1;
        if self.folders > MAX_FOLDERS {
            if self.folders == MAX_FOLDERS + 1 {
                self.problem(path, format!("and what comes behind it is not looked at: {MAX_FOLDERS} folders are the most of one root"));
            }
            return;
        }
        let (entries, more) = match files::entries(&self.root, path, "", MAX_ENTRIES) {
            Ok(entries) => entries,
            Err(error) => return self.problem(path, error.reason()),
        };
        if entries.iter().any(|entry| entry.name == SKILL_FILE) {
            return self.skill(path);
        }
        if more {
            self.problem(path, format!("has more than {MAX_ENTRIES} entries; the others are not looked at"));
        }
        for entry in entries {
            self.entry(path, &entry, depth);
        }
    }

    fn entry(&mut self, folder: &Path, entry: &Entry, depth: usize) {
        let path = folder.join(&entry.name);
        match (entry.kind, entry.name.to_str()) {
            (_, Some(name)) if name.starts_with('.') => {}
            (FileType::Symlink, _) => self.link(&path),
            (FileType::Directory, None) => self.problem(&path, "has a name that is not UTF-8; rename it"),
            (FileType::Directory, Some(_)) if depth < MAX_DEPTH => self.folder(&path, depth + 1),
            (FileType::Directory, Some(_)) => {
                self.problem(&path, format!("lies deeper than {MAX_DEPTH} folders, so it is not looked at"));
            }
            _ => {}
        }
    }

    /// A link to a skill in this root says nothing new: the skill is found where it lies.
    fn link(&mut self, path: &Path) {
        let leads_out = path.canonicalize().is_ok_and(|real| !real.starts_with(self.root.home()));
        if leads_out && path.join(SKILL_FILE).symlink_metadata().is_ok() {
            self.problem(
                path,
                "is a link that leads out of the root; give the folder that it leads to as a root",
            );
        }
    }

    fn skill(&mut self, directory: &Path) {
        let file = directory.join(SKILL_FILE);
        let front =
            files::read(&self.root, directory, SKILL_FILE, files::MAX_FILE).map_err(|error| match error {
                Unreadable::TooBig { .. } => {
                    format!("{}; move what is not always needed into files beside it", error.reason())
                }
                error => error.reason(),
            });
        let front = front.and_then(|text| front::read(front::split(&text)?.0));
        match front {
            Ok(front) => {
                for reason in front.notes {
                    self.found
                        .problems
                        .push(SkillProblem { usable: true, ..SkillProblem::new(&file, reason) });
                }
                let (directory, root) = (directory.to_path_buf(), Arc::clone(&self.root));
                self.found.skills.push(Skill { manifest: front.manifest, directory, root });
            }
            Err(reason) => self.problem(&file, reason),
        }
    }

    fn problem(&mut self, path: &Path, reason: impl Into<String>) {
        self.found.problems.push(SkillProblem::new(path, reason));
    }
}
