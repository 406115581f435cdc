//! The skills of a turn: those that were found, which of them are enabled, and what the host adds to them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::projection;
use super::scan::{Found, scan};
use super::skill::{Skill, SkillProblem, TurnKind};

/// What a host says to the loading of a skill.
type Overlay = dyn Fn(&str) -> Result<Option<String>, String> + Send + Sync;

/// Skills: found once, enabled and disabled for each turn. Cheap to clone; clones share what is enabled, so a skill that is
/// disabled while a turn runs is refused from then on.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let root = tempfile::tempdir()?;
/// # std::fs::create_dir(root.path().join("letters"))?;
/// # std::fs::write(root.path().join("letters/SKILL.md"), "---\nname: letters\ndescription: Writes letters.\n---\nBe brief.\n")?;
/// use tool_std::skills::{Skills, TurnKind, skill_tools};
///
/// let found = Skills::from_roots([root.path()]);
/// for problem in found.problems() {
///     eprintln!("{problem}");
/// }
///
/// // For each turn:
/// let skills = found.for_turn(TurnKind::Main);
/// let prompt = skills.projection();
/// let tools = skill_tools(&skills);
/// assert!(prompt.contains("- letters: Writes letters."));
/// assert_eq!(tools.len(), 1);
///
/// skills.disable("letters")?;
/// assert!(skill_tools(&skills).is_empty());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Skills {
    found: Arc<Found>,
    /// Whether the skill at the same place is enabled.
    enabled: Arc<[AtomicBool]>,
    turn: TurnKind,
    overlay: Option<Arc<Overlay>>,
}

/// Why a skill cannot be enabled or disabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillError(String);

impl fmt::Display for SkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SkillError {}

impl Skills {
    /// Looks once through `roots` for folders with a `SKILL.md`, up to four folders deep; 256 skills are the most. A root that
    /// cannot be read, and a skill that is broken, are [`problems`](Self::problems) and take nothing else down. Of two skills
    /// with one name that of the earlier root counts. Blocks while it reads.
    #[must_use]
    pub fn from_roots(roots: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let found = Arc::new(scan(roots.into_iter().map(Into::into)));
        Self { enabled: enabled_at_first(&found), found, turn: TurnKind::Main, overlay: None }
    }

    /// The same skills for a turn of its own, enabled as they say of themselves.
    #[must_use]
    pub fn for_turn(&self, turn: TurnKind) -> Self {
        Self {
            found: Arc::clone(&self.found),
            enabled: enabled_at_first(&self.found),
            turn,
            overlay: self.overlay.clone(),
        }
    }

    /// Asks `overlay` with the name of a skill each time that one of its files is loaded, on a thread that may block. A text is
    /// put behind the `SKILL.md`; an error refuses the load and is told to the model, as when the skill was disabled
    /// elsewhere since the turn began. At most 32,000 bytes.
    #[must_use]
    pub fn overlay(
        mut self,
        overlay: impl Fn(&str) -> Result<Option<String>, String> + Send + Sync + 'static,
    ) -> Self {
        self.overlay = Some(Arc::new(overlay));
        self
    }

    /// What is wrong with the roots and what lies in them.
    #[must_use]
    pub fn problems(&self) -> &[SkillProblem] {
        &self.found.problems
    }

    /// All skills that were found, enabled or not, by name.
    #[must_use]
    pub fn all(&self) -> &[Skill] {
        &self.found.skills
    }

    /// The skill of that name, enabled or not.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.position(name).map(|at| &self.found.skills[at])
    }

    /// Whether the skill is enabled in this turn.
    #[must_use]
    pub fn is_enabled(&self, name: &str) -> bool {
        self.position(name).is_some_and(|at| self.enabled[at].load(Ordering::Acquire))
    }

    /// Enables a skill in this turn and all its clones.
    ///
    /// # Errors
    ///
    /// When there is none of that name, or it does not work on this system.
    pub fn enable(&self, name: &str) -> Result<(), SkillError> {
        self.set(name, true)
    }

    /// Disables a skill in this turn and all its clones.
    ///
    /// # Errors
    ///
    /// When there is none of that name.
    pub fn disable(&self, name: &str) -> Result<(), SkillError> {
        self.set(name, false)
    }

    /// The skills for the system prompt: their names and one line each, at most 32 KiB; empty when the turn has none.
    #[must_use]
    pub fn projection(&self) -> String {
        projection::project(self.offered(), self.turn)
    }

    /// The enabled skills that a model in this turn hears of.
    pub(super) fn offered(&self) -> impl Iterator<Item = &Skill> {
        self.enabled_skills().filter(|skill| skill.is_known_to(self.turn))
    }

    pub(super) fn enabled_skills(&self) -> impl Iterator<Item = &Skill> {
        let enabled = self.enabled.iter().map(|enabled| enabled.load(Ordering::Acquire));
        self.found.skills.iter().zip(enabled).filter(|(_, enabled)| *enabled).map(|(skill, _)| skill)
    }

    pub(super) fn turn(&self) -> TurnKind {
        self.turn
    }

    /// What the host says to the loading of `name`.
    pub(super) fn ask_overlay(&self, name: &str) -> Result<Option<String>, String> {
        self.overlay.as_ref().map_or(Ok(None), |overlay| overlay(name))
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.found.skills.binary_search_by(|skill| skill.name().cmp(name)).ok()
    }

    fn set(&self, name: &str, enabled: bool) -> Result<(), SkillError> {
        let Some(at) = self.position(name) else {
            return Err(SkillError(format!("no skill is named `{name}`")));
        };
        let skill = &self.found.skills[at];
        if enabled && !skill.works_here() {
            return Err(SkillError(format!(
                "the skill `{name}` works on {} only",
                skill.platforms().join(", ")
            )));
        }
        self.enabled[at].store(enabled, Ordering::Release);
        Ok(())
    }
}

impl fmt::Debug for Skills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let enabled: Vec<_> = self.enabled_skills().map(Skill::name).collect();
        f.debug_struct("Skills").field("enabled", &enabled).field("turn", &self.turn).finish_non_exhaustive()
    }
}

fn enabled_at_first(found: &Found) -> Arc<[AtomicBool]> {
    found.skills.iter().map(|skill| AtomicBool::new(skill.default_enabled() && skill.works_here())).collect()
}
