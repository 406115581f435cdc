//! The environment of a command, in layers; a later one wins. Nothing comes from the environment of this program.
//!
//! | layer | holds | may not hold |
//! |---|---|---|
//! | base | `PATH`, `LANG`, `TERM`, `SHELL`, `TMPDIR` where needed | |
//! | operator | what [`ComputerBuilder::env`](crate::computer::ComputerBuilder::env) set | `HOME`, `WORKER_…`, names that shells own |
//! | call | the parameter `env` | the same |
//! | trusted | what [`ComputerBuilder::trusted_env`](crate::computer::ComputerBuilder::trusted_env) set | names without `WORKER_`, but for `MCPORTER_CONFIG` |
//! | forced | `HOME` and `WORKER_HOME`: the home; `WORKER_WORKSPACE`: the workspace | |

use std::collections::BTreeMap;
use std::path::Path;

/// What the names of trusted variables begin with.
const TRUSTED: &str = "WORKER_";
/// Other trusted variables: where `mcporter` finds the servers of the turn's skills, which no call may point elsewhere.
const ALSO_TRUSTED: &[&str] = &["MCPORTER_CONFIG"];
/// Standard folders, for those that a login shell does not know better.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";
/// Names whose values shells make themselves; several end a shell that is told to set them.
const OF_THE_SHELL: &[&str] = &[
    "BASHOPTS",
    "BASH_VERSINFO",
    "DIRSTACK",
    "EUID",
    "FUNCNAME",
    "GROUPS",
    "LINENO",
    "OPTIND",
    "PPID",
    "SHELLOPTS",
    "UID",
];

/// The longest value that Linux takes, in bytes, less the name.
const MAX_VALUE: usize = 120 * 1024;

/// Variables and their values.
pub(super) type Variables = BTreeMap<String, String>;

/// What the layers are made of.
pub(super) struct Layers<'a> {
    pub(super) operator: &'a Variables,
    pub(super) call: &'a Variables,
    pub(super) trusted: &'a Variables,
    pub(super) home: &'a Path,
    pub(super) workspace: &'a Path,
    pub(super) temporary: Option<&'a Path>,
}

/// The environment of a command.
pub(super) struct Environment {
    pub(super) variables: Variables,
    /// A `PATH` that somebody set. Login shells start with the standard one and set their own, so it is set behind that.
    pub(super) path: Option<String>,
}

/// What is wrong with the variables of a layer.
#[derive(Debug)]
pub(super) enum EnvironmentError {
    /// Of the call's own, to be mended by the model.
    Call(String),
    /// Of the operator's or the host's.
    Host(String),
}

impl Environment {
    /// Lays the layers over each other.
    ///
    /// # Errors
    ///
    /// When a layer holds what it may not, or a value that no variable can have.
    pub(super) fn of(layers: &Layers<'_>) -> Result<Self, EnvironmentError> {
        check(layers.operator, free_name)
            .map_err(|fault| EnvironmentError::Host(format!("the operator's {fault}")))?;
        check(layers.call, free_name)
            .map_err(|fault| EnvironmentError::Call(format!("the parameter `env`: {fault}")))?;
        check(layers.trusted, trusted_name)
            .map_err(|fault| EnvironmentError::Host(format!("the host's trusted {fault}")))?;

        let shell = if Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" };
        // A folder whose name is no text cannot be named in a script either.
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let base = [("PATH", PATH), ("LANG", "C.UTF-8"), ("TERM", "dumb"), ("SHELL", shell)];
        let mut variables: Variables =
            base.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        if let Some(temporary) = layers.temporary {
            variables.insert("TMPDIR".to_owned(), text(temporary));
        }
        for layer in [layers.operator, layers.call, layers.trusted] {
            variables.extend(layer.clone());
        }
        for (name, folder) in
            [("HOME", layers.home), ("WORKER_HOME", layers.home), ("WORKER_WORKSPACE", layers.workspace)]
        {
            variables.insert(name.to_owned(), text(folder));
        }
        let path = variables.insert("PATH".to_owned(), PATH.to_owned()).filter(|path| *path != PATH);
        Ok(Self { variables, path })
    }
}

fn check(layer: &Variables, name_fault: impl Fn(&str) -> Option<&'static str>) -> Result<(), String> {
    for (name, value) in layer {
        if let Some(fault) = name_fault(name) {
            return Err(format!("variable `{name}` {fault}"));
        }
        if value.contains('\0') {
            return Err(format!("variable `{name}` cannot be set: it holds a NUL character"));
        }
        if value.len() > MAX_VALUE {
            return Err(format!("variable `{name}` cannot be set: it is longer than {MAX_VALUE} bytes"));
        }
    }
    Ok(())
}

fn free_name(name: &str) -> Option<&'static str> {
    if !is_name(name) {
        return Some("cannot be set: names are made of letters, digits and `_`, and begin with no digit");
    }
    if name == "HOME" {
        return Some("cannot be set: it is the home of the computer");
    }
    if name.starts_with(TRUSTED) {
        return Some("cannot be set: names with `WORKER_` are the host's");
    }
    OF_THE_SHELL.contains(&name).then_some("cannot be set: shells make its value themselves")
}

fn trusted_name(name: &str) -> Option<&'static str> {
    let is_trusted = is_name(name) && name.starts_with(TRUSTED) || ALSO_TRUSTED.contains(&name);
    (!is_trusted).then_some(
        "cannot be set: trusted names begin with `WORKER_` and go on with letters, digits and `_`, or are `MCPORTER_CONFIG`",
    )
}

fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
