//! What a person sees of a command while it runs: what is being done, and with which family of programs. Never flags,
//! operands, paths or values.

#[cfg(test)]
mod tests;

use std::fmt;

use super::CommandParams;
use super::words::CommandLine;

/// The label of a call.
pub(super) fn activity(params: &CommandParams) -> String {
    Activity::of(&params.command).to_string()
}

/// What a command does, as far as its programs say.
#[derive(Debug, PartialEq, Eq)]
struct Activity {
    action: Action,
    /// A program.
    family: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Build,
    CheckChanges,
    CheckCode,
    CheckFormat,
    CheckProject,
    CheckTypes,
    Commit,
    Compile,
    Execute,
    FindFiles,
    Format,
    Install,
    Push,
    SearchCode,
    Stage,
    Sync,
    Test,
    ViewHistory,
}

impl Action {
    fn words(self) -> &'static str {
        match self {
            Self::Build => "Building",
            Self::CheckChanges => "Looking at changes",
            Self::CheckCode => "Checking code",
            Self::CheckFormat => "Checking the format",
            Self::CheckProject => "Checking the project",
            Self::CheckTypes => "Checking types",
            Self::Commit => "Committing",
            Self::Compile => "Compiling",
            Self::Execute => "Running a command",
            Self::FindFiles => "Finding files",
            Self::Format => "Formatting",
            Self::Install => "Installing packages",
            Self::Push => "Pushing",
            Self::SearchCode => "Searching code",
            Self::Stage => "Staging changes",
            Self::Sync => "Fetching changes",
            Self::Test => "Running tests",
            Self::ViewHistory => "Looking at the history",
        }
    }
}

/// What a program does with its first word that is no option; without such words, always.
struct Rule {
    programs: &'static [&'static str],
    words: &'static [&'static str],
    action: Action,
}

const fn rule(programs: &'static [&'static str], words: &'static [&'static str], action: Action) -> Rule {
    Rule { programs, words, action }
}

const NODE: &[&str] = &["npm", "pnpm", "yarn", "bun"];
const PYTHON: &[&str] = &["python", "python3"];

const RULES: &[Rule] = &[
    rule(&["cargo"], &["test", "nextest"], Action::Test),
    rule(&["cargo"], &["build"], Action::Build),
    rule(&["cargo"], &["check"], Action::CheckProject),
    rule(&["cargo"], &["clippy"], Action::CheckCode),
    rule(&["cargo"], &["fmt"], Action::Format),
    rule(&["cargo"], &["fetch", "install"], Action::Install),
    rule(&["go"], &["test"], Action::Test),
    rule(&["go"], &["build"], Action::Build),
    rule(&["go"], &["vet"], Action::CheckCode),
    rule(&["mix"], &["test"], Action::Test),
    rule(&["mix"], &["compile"], Action::Compile),
    rule(&["mix"], &["format"], Action::Format),
    rule(&["mix"], &["deps.get"], Action::Install),
    rule(NODE, &["test", "t"], Action::Test),
    rule(NODE, &["build"], Action::Build),
    rule(NODE, &["lint"], Action::CheckCode),
    rule(NODE, &["install", "i", "ci", "add"], Action::Install),
    rule(&["deno"], &["test"], Action::Test),
    rule(&["deno"], &["lint"], Action::CheckCode),
    rule(&["pytest", "jest", "vitest"], &[], Action::Test),
    rule(PYTHON, &["pytest", "unittest"], Action::Test),
    rule(&["pip", "pip3"], &["install"], Action::Install),
    rule(&["uv"], &["sync", "add"], Action::Install),
    rule(&["apt", "apt-get"], &["install"], Action::Install),
    rule(&["make", "ninja", "cmake"], &[], Action::Build),
    rule(&["gcc", "g++", "clang", "rustc", "javac"], &[], Action::Compile),
    rule(&["rg", "grep", "egrep", "ag"], &[], Action::SearchCode),
    rule(&["find", "fd", "fdfind"], &[], Action::FindFiles),
    rule(&["git"], &["diff", "status", "show"], Action::CheckChanges),
    rule(&["git"], &["log", "blame"], Action::ViewHistory),
    rule(&["git"], &["grep"], Action::SearchCode),
    rule(&["git"], &["add"], Action::Stage),
    rule(&["git"], &["commit"], Action::Commit),
    rule(&["git"], &["push"], Action::Push),
    rule(&["git"], &["fetch", "merge", "pull", "rebase", "clone"], Action::Sync),
    rule(&["tsc", "tsgo", "mypy", "pyright"], &[], Action::CheckTypes),
    rule(&["prettier", "oxfmt", "black", "rustfmt"], &[], Action::CheckFormat),
    rule(&["eslint", "oxlint", "ruff", "shellcheck"], &[], Action::CheckCode),
];

/// Options whose value is a word of its own, which is not what is being done.
const OPTIONS_WITH_VALUE: &[&str] = &[
    "-C",
    "-c",
    "--prefix",
    "--dir",
    "--filter",
    "-F",
    "-w",
    "--workspace",
    "--cwd",
    "--config",
    "--manifest-path",
];
/// Between a program and what it does.
const SEEN_THROUGH: &[&str] = &["run", "-m"];
/// Commands of the shell that only prepare for others.
const PREPARING: &[&str] = &[
    "cd", "source", ".", "export", "set", "unset", "pushd", "popd", "umask", "ulimit", "trap", "shopt", "[[",
    "true", ":",
];
/// Programs that run another one.
const WRAPPERS: &[&str] =
    &["sudo", "env", "timeout", "nice", "nohup", "exec", "command", "setsid", "stdbuf", "npx", "xargs"];

impl Activity {
    fn of(command: &str) -> Self {
        let line = CommandLine::read(command);
        let commands = || line.commands.iter().filter_map(|words| Some((program(words.first()?), words)));
        let commands = || {
            commands().filter(|(program, _)| program.as_deref().is_none_or(|name| !PREPARING.contains(&name)))
        };
        let known = commands().find_map(|(program, words)| known(&program?, words));
        known.unwrap_or_else(|| Self {
            action: Action::Execute,
            family: commands().find_map(|(program, _)| program),
        })
    }
}

/// What a known program does in this command.
fn known(program: &str, words: &[String]) -> Option<Activity> {
    let behind = words.get(1..).unwrap_or_default();
    if WRAPPERS.contains(&program) {
        // Only a name of the table is taken from among the arguments.
        return behind.iter().enumerate().find_map(|(at, word)| {
            let name = self::program(word)?;
            let is_known = RULES.iter().any(|rule| rule.programs.contains(&name.as_str()));
            if is_known { known(&name, behind.get(at..)?) } else { None }
        });
    }
    let does = first_operand(behind);
    let fits = |rule: &&Rule| {
        rule.programs.contains(&program)
            && (rule.words.is_empty() || does.is_some_and(|does| rule.words.contains(&does)))
    };
    let rule = RULES.iter().find(fits)?;
    Some(Activity { action: rule.action, family: Some(program.to_owned()) })
}

/// The first word that is no option and no `run`.
fn first_operand(words: &[String]) -> Option<&str> {
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if OPTIONS_WITH_VALUE.contains(&word) {
            words.next();
        } else if !SEEN_THROUGH.contains(&word) && !word.starts_with(['-', '+']) {
            return Some(word);
        }
    }
    None
}

/// The name of a program without its folders, if it is one that can be shown.
pub(super) fn program(word: &str) -> Option<String> {
    if [".", ":", "[", "[["].contains(&word) {
        return Some(word.to_owned());
    }
    let name = word.rsplit('/').next()?.to_lowercase();
    let is_safe = (1..=40).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.'));
    is_safe.then_some(name)
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.action.words())?;
        match &self.family {
            Some(family) => write!(f, " ({family})"),
            None => Ok(()),
        }
    }
}
