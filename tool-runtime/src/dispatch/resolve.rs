//! From the name that a model wrote to a tool.

use crate::call::{CallError, Caller};
use crate::check::nearest_names;
use crate::set::ToolSet;
use crate::spec::AllowedCallers;
use crate::tool::WorkerAgentTool;

/// Names listed in the answer to an unknown one.
const LISTED: usize = 40;
/// Near names offered in it.
const NEAREST: usize = 3;
/// Prefixes that models put before the name of a function that has no namespace.
const PREFIXES: [&str; 3] = ["functions.", "default_api.", "default_api:"];

/// The tool that a call of this name may run now.
///
/// # Errors
///
/// When there is none, it is not loaded, or this caller may not call it.
#[inline]
pub(super) fn tool<'a>(
    set: &'a ToolSet,
    namespace: Option<&str>,
    name: &str,
    caller: &Caller,
) -> Result<&'a WorkerAgentTool, CallError> {
    let found =
        position(set, namespace, name).and_then(|position| Some((position, set.tools().get(position)?)));
    let (position, tool) = found.ok_or_else(|| unknown(set, namespace, name))?;
    let name = || tool.spec().display_name().into_owned();
    if !set.is_loaded(position) {
        let search = set.search_tool().map(|search| search.spec().display_name().into_owned());
        return Err(CallError::NotLoaded { name: name(), search });
    }
    match (tool.spec().allowed_callers, caller) {
        (AllowedCallers::Direct, Caller::Program { .. }) => {
            Err(CallError::CallerNotAllowed { name: name(), allowed: "directly, not by a program" })
        }
        (AllowedCallers::Programmatic, Caller::Direct) => {
            Err(CallError::CallerNotAllowed { name: name(), allowed: "by a program, not directly" })
        }
        _ => Ok(tool),
    }
}

/// The exact identity first. Then the spellings that providers and models are known to use for it, each only where it can
/// mean one tool: the namespace `functions`, or one that repeats the name, for a tool without a namespace; the flat name
/// for providers without namespaces; a known prefix before the name; `namespace.name` in one.
#[inline]
pub(super) fn position(set: &ToolSet, namespace: Option<&str>, name: &str) -> Option<usize> {
    let namespace = namespace.filter(|namespace| !namespace.is_empty());
    if let Some(position) = set.position(namespace, name) {
        return Some(position);
    }
    spelled_otherwise(set, namespace, name)
}

#[cold]
fn spelled_otherwise(set: &ToolSet, namespace: Option<&str>, name: &str) -> Option<usize> {
    match namespace {
        Some(namespace) if namespace == "functions" || namespace == name => set.position(None, name),
        Some(_) => None,
        None => set.wire_names().position(name).or_else(|| prefixed(set, name)),
    }
}

fn prefixed(set: &ToolSet, name: &str) -> Option<usize> {
    if let Some(bare) = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)) {
        return set.position(None, bare).or_else(|| set.wire_names().position(bare));
    }
    // Neither a namespace nor a name holds a dot, so this splits in one way only.
    let (namespace, name) = name.split_once('.')?;
    set.position(Some(namespace), name)
}

/// The error that names what there is.
pub(crate) fn unknown(set: &ToolSet, namespace: Option<&str>, called: &str) -> CallError {
    let name = namespace.map_or_else(|| called.to_owned(), |namespace| format!("{namespace}.{called}"));
    let offered: Vec<String> = set.loaded().map(|tool| tool.spec().display_name().into_owned()).collect();
    CallError::UnknownTool {
        nearest: nearest_names(&name, offered.iter().map(String::as_str), NEAREST),
        more: offered.len().saturating_sub(LISTED),
        known: offered.into_iter().take(LISTED).collect(),
        name,
    }
}
