//! One skill, and what is wrong with those that cannot be used.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::computer::Places;

/// Which turns follow a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillRuntime {
    /// All.
    #[default]
    Any,
    /// Main turns only.
    Main,
    /// Background jobs only; a main turn is told to create one.
    BackgroundJob,
}

impl SkillRuntime {
    /// The runtime as it is written in a front matter.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Main => "main",
            Self::BackgroundJob => "background_job",
        }
    }
}

/// What kind of turn asks for skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnKind {
    /// A turn that talks to a person.
    #[default]
    Main,
    /// A background job.
    BackgroundJob,
    /// A script without a model: it reads no skill, and has the MCP servers of all.
    Automation,
}

/// What a front matter says.
#[derive(Clone, Debug)]
pub(super) struct Manifest {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) default_enabled: bool,
    pub(super) category: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) runtime: SkillRuntime,
    pub(super) platforms: Vec<String>,
}

/// A folder with a `SKILL.md`: instructions for one kind of work, and the files that they refer to.
#[derive(Clone, Debug)]
pub struct Skill {
    pub(super) manifest: Manifest,
    pub(super) directory: PathBuf,
    pub(super) root: Arc<Places>,
}

impl Skill {
    /// The name: a lower-case letter, then letters, digits, `_` and `-`; at most 64.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// What it is for and when to use it: at most 1,024 characters.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.manifest.description
    }

    /// Whether a turn begins with it enabled.
    #[must_use]
    pub fn default_enabled(&self) -> bool {
        self.manifest.default_enabled
    }

    /// A word to sort it under.
    #[must_use]
    pub fn category(&self) -> Option<&str> {
        self.manifest.category.as_deref()
    }

    /// Words to find it by.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.manifest.tags
    }

    /// Which turns follow it.
    #[must_use]
    pub fn runtime(&self) -> SkillRuntime {
        self.manifest.runtime
    }

    /// The systems it works on: `linux`, `macos`, `windows`; empty for all.
    #[must_use]
    pub fn platforms(&self) -> &[String] {
        &self.manifest.platforms
    }

    /// The real path of its folder.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(super) fn works_here(&self) -> bool {
        let platforms = self.platforms();
        platforms.is_empty() || platforms.iter().any(|platform| platform == std::env::consts::OS)
    }

    /// Whether a model in such a turn hears of it. A main turn hears of those for background jobs too, to create one.
    pub(super) fn is_known_to(&self, turn: TurnKind) -> bool {
        match turn {
            TurnKind::Main => true,
            TurnKind::BackgroundJob => self.runtime() != SkillRuntime::Main,
            TurnKind::Automation => false,
        }
    }

    /// Whether such a turn works by it, so that it has its MCP servers.
    pub(super) fn is_used_by(&self, turn: TurnKind) -> bool {
        match turn {
            TurnKind::Main => self.runtime() != SkillRuntime::BackgroundJob,
            TurnKind::BackgroundJob => self.runtime() != SkillRuntime::Main,
            TurnKind::Automation => true,
        }
    }
}

/// Something wrong with a root or with what lies in it. It concerns no other skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillProblem {
    /// The root, folder or file.
    pub path: PathBuf,
    /// What is wrong, and what to do where it is known.
    pub reason: String,
    /// Whether the skill can be used all the same.
    pub usable: bool,
}

impl SkillProblem {
    pub(super) fn new(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into(), usable: false }
    }
}

impl fmt::Display for SkillProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.reason)
    }
}
