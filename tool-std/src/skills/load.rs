//! Loading one file of a skill for the model.

use tool_runtime::{ToolError, ToolErrorKind};

use super::files::{self, Unreadable};
use super::front;
use super::scan::SKILL_FILE;
use super::skill::{Skill, SkillRuntime, TurnKind};
use super::turn::Skills;
use super::wrapper::wrap;

/// The most that an overlay may add, in bytes.
const MAX_OVERLAY: usize = 32_000;
/// How many skills a refusal names.
const NAMED: usize = 50;

/// What the model reads of the file `path` of the skill `name`, and the path as it was taken. Blocks.
///
/// # Errors
///
/// When the turn does not have the skill, or the file cannot be read as a text of it.
pub(super) fn load(skills: &Skills, name: &str, path: &str) -> Result<(String, String), ToolError> {
    let skill = find(skills, name)?;
    let path = files::inside(path).map_err(|reason| error(ToolErrorKind::InvalidArguments, reason))?;
    let overlay = skills.ask_overlay(name).map_err(|reason| {
        error(ToolErrorKind::Denied, format!("the skill `{name}` cannot be used now: {reason}"))
    })?;
    let is_main = path == SKILL_FILE;
    if skill.runtime() == SkillRuntime::BackgroundJob && skills.turn() == TurnKind::Main {
        return if is_main { Ok((to_a_job(name), path.to_owned())) } else { Err(for_a_job(name, path)) };
    }
    let text = files::read(&skill.root, skill.directory(), path, files::MAX_FILE)
        .map_err(|e| refused(skill, path, &e))?;
    let text = if is_main { with_overlay(&text, name, overlay)? } else { text };
    Ok((wrap(skill, path, &text), path.to_owned()))
}

fn find<'a>(skills: &'a Skills, name: &str) -> Result<&'a Skill, ToolError> {
    let offered = || {
        let names: Vec<_> = skills.offered().map(|skill| format!("`{}`", skill.name())).collect();
        let more = if names.len() > NAMED { " and others" } else { "" };
        match names.len() {
            0 => "this turn has none".to_owned(),
            _ => format!("this turn has {}{more}", names[..names.len().min(NAMED)].join(", ")),
        }
    };
    let Some(skill) = skills.get(name) else {
        let known =
            skills.offered().map(|skill| (strsim::damerau_levenshtein(skill.name(), name), skill.name()));
        let meant = known.min().filter(|(distance, _)| *distance <= 2);
        let meant = meant.map(|(_, name)| format!(" (did you mean `{name}`)")).unwrap_or_default();
        return Err(error(
            ToolErrorKind::NotFound,
            format!("no skill is named `{name}`{meant}; {}", offered()),
        ));
    };
    if !skills.is_enabled(name) {
        return Err(error(
            ToolErrorKind::Denied,
            format!("the skill `{name}` is not enabled in this turn; {}", offered()),
        ));
    }
    if !skill.is_known_to(skills.turn()) {
        return Err(error(
            ToolErrorKind::Denied,
            format!("the skill `{name}` is for main turns only, and this is none; {}", offered()),
        ));
    }
    Ok(skill)
}

/// What a main turn reads of a skill that only background jobs follow.
fn to_a_job(name: &str) -> String {
    format!(
        "The skill `{name}` is for background jobs only, so its instructions are not shown here. If this work needs it, create \
         a background job and name the skill `{name}` in its task; the job loads it."
    )
}

fn for_a_job(name: &str, path: &str) -> ToolError {
    error(
        ToolErrorKind::Denied,
        format!(
            "`{path}` belongs to the skill `{name}`, which is for background jobs only; create one and name the skill in its task"
        ),
    )
}

fn refused(skill: &Skill, path: &str, why: &Unreadable) -> ToolError {
    let (name, reason) = (skill.name(), why.reason());
    let place = skill.directory().join(path);
    let place = place.display();
    let (kind, way) = match why {
        Unreadable::Missing => {
            (ToolErrorKind::NotFound, format!("; its files are {}", files::listing(skill)))
        }
        Unreadable::Outside => (ToolErrorKind::Denied, format!("; its files are {}", files::listing(skill))),
        Unreadable::TooBig { .. } => (
            ToolErrorKind::Failed,
            format!("; read parts of `{place}` with a tool that reads pages of files"),
        ),
        Unreadable::Binary => {
            (ToolErrorKind::Failed, format!("; hand its path `{place}` to a program that knows its format"))
        }
        Unreadable::Other(_) => (ToolErrorKind::Failed, String::new()),
    };
    error(kind, format!("`{path}` of the skill `{name}` {reason}{way}"))
}

/// The instructions without their front matter, and what the host adds.
fn with_overlay(text: &str, name: &str, overlay: Option<String>) -> Result<String, ToolError> {
    let body = front::split(text).map(|(_, body)| body).map_err(|reason| {
        error(ToolErrorKind::Failed, format!("`{SKILL_FILE}` of the skill `{name}` was changed and {reason}"))
    })?;
    let body = body.trim_matches(['\r', '\n']);
    match overlay.filter(|overlay| !overlay.trim().is_empty()) {
        None => Ok(body.to_owned()),
        Some(overlay) if overlay.len() > MAX_OVERLAY => Err(error(
            ToolErrorKind::Failed,
            format!(
                "what is added to the skill `{name}` has {} bytes, and {MAX_OVERLAY} are the most",
                overlay.len()
            ),
        )),
        Some(overlay) => Ok(format!("{body}\n\n---\n\n{}", overlay.trim_matches(['\r', '\n']))),
    }
}

fn error(kind: ToolErrorKind, message: impl Into<String>) -> ToolError {
    ToolError::new(message).with_kind(kind)
}
