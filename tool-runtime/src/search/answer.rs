//! What the model reads as the answer of a search.

use std::collections::HashMap;

use serde::Serialize;

use crate::label::LabelText;
use crate::output::ToolOutput;
use crate::spec::{Namespace, ToolSpec};
use crate::tool::{Shelf, WorkerAgentTool};

use super::Shared;
use super::look::{Found, Wish, Wrong, in_turn};

/// The longest description that is shown, in characters.
const SHOWN: usize = 200;
/// The most that is said about namespaces, in characters.
const GROUPS: usize = 3_000;
/// The longest name from outside that is repeated, in characters.
const LONGEST: usize = 80;

/// What a program gets of a search: tools as `namespace.name` or their bare names.
#[derive(Debug, Serialize)]
pub(super) struct Details {
    /// They are loaded by this search.
    loaded: Vec<String>,
    /// They were loaded before.
    already_loaded: Vec<String>,
    /// Names that led to no tool.
    unknown: Vec<String>,
}

impl Details {
    /// What a person sees when it is done.
    pub(super) fn label(&self) -> String {
        let mut label = LabelText::new();
        match self.loaded.as_slice() {
            [] => label.text("Found no new tool"),
            names => {
                label.text("Found ");
                label.text(&names.join(", "));
            }
        }
        label.finish()
    }
}

/// The answer, as text and as data. Every list in it is bounded.
pub(super) fn output(shared: &Shared, wish: &Wish, found: &Found, shelf: &dyn Shelf) -> ToolOutput<Details> {
    let names = |positions: &[usize]| {
        let names = positions.iter().filter_map(|&at| shared.name(at));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let details = Details {
        loaded: names(&found.new),
        already_loaded: names(&found.known),
        unknown: found.wrong.iter().map(|wrong| wrong.name.clone()).collect(),
    };
    let mut lines = Vec::new();
    match found.new.len() {
        0 => {}
        1 => lines
            .push("Loaded 1 tool. It is listed with its parameters from your next response on:".to_owned()),
        count => lines.push(format!(
            "Loaded {count} tools. They are listed with their parameters from your next response on:"
        )),
    }
    let tools = found.new.iter().filter_map(|&at| shared.set.tools().get(at));
    lines.extend(tools.map(|tool| line(tool.spec())));
    if !found.known.is_empty() {
        lines.push(format!("Loaded already, to be called at once: {}.", quoted(&details.already_loaded)));
    }
    if !found.more.is_empty() {
        let others = if found.has_yet_more { " and others" } else { "" };
        let more = quoted(&names(&found.more));
        lines.push(format!(
            "Not loaded, but matching too: {more}{others}. Ask for them by `names`, or be more exact."
        ));
    }
    lines.extend(found.wrong.iter().map(wrong_name));
    let asked_for_more = wish.query.is_some() || wish.namespace.is_some();
    let is_empty = found.new.is_empty() && found.known.is_empty();
    if let (Some(near), Some(namespace)) = (&found.wrong_namespace, &wish.namespace) {
        let near = if near.is_empty() { String::new() } else { format!(" Did you mean {}?", quoted(near)) };
        lines.push(format!("There is no namespace `{}`.{near}", short(namespace, LONGEST)));
    } else if let (true, Some(query)) = (is_empty, &wish.query) {
        let within =
            wish.namespace.as_ref().map(|name| format!(" in the namespace `{name}`")).unwrap_or_default();
        lines.push(format!("No tool{within} matches `{}`; nothing was loaded.", short(query, LONGEST)));
        if !found.near_words.is_empty() {
            lines.push(format!("Names of tools have the words {}.", quoted(&found.near_words)));
        }
    }
    if is_empty && (asked_for_more || wish.names.is_none()) {
        let there = shared.set.tools().iter().filter(|tool| in_turn(shelf, tool).is_some());
        lines.push(Groups::of(there).text(GROUPS));
        lines.push(
            "Look for other words for what you want to do, in a `namespace`, or by exact `names`.".to_owned(),
        );
    }
    ToolOutput::text(lines.join("\n")).with_details(details)
}

fn wrong_name(wrong: &Wrong) -> String {
    let name = short(&wrong.name, LONGEST);
    match (wrong.several.as_slice(), wrong.near.as_slice()) {
        ([], []) => format!("No tool is named `{name}`."),
        ([], near) => format!("No tool is named `{name}`. Did you mean {}?", quoted(near)),
        (several, _) => {
            format!(
                "Several tools are named `{name}`, and none was loaded: ask for one of {}.",
                quoted(several)
            )
        }
    }
}

/// A tool in one line.
fn line(spec: &ToolSpec) -> String {
    format!("- {}: {}", spec.display_name(), short(&spec.description, SHOWN))
}

/// One line of at most `most` characters.
fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        None => line,
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The namespaces of tools, in their order, each with its description and how many tools it has.
pub(super) struct Groups<'a> {
    groups: Vec<(&'a Namespace, usize)>,
    bare: usize,
}

impl<'a> Groups<'a> {
    pub(super) fn of(tools: impl Iterator<Item = &'a WorkerAgentTool>) -> Self {
        let mut own = Self { groups: Vec::new(), bare: 0 };
        let mut place_of = HashMap::new();
        for tool in tools {
            let Some(namespace) = &tool.spec().namespace else {
                own.bare += 1;
                continue;
            };
            let at = *place_of.entry(&*namespace.name).or_insert(own.groups.len());
            match own.groups.get_mut(at) {
                Some((_, count)) => *count += 1,
                None => own.groups.push((namespace, 1)),
            }
        }
        own
    }

    /// All of them in at most about `room` characters.
    pub(super) fn text(&self, room: usize) -> String {
        if self.groups.is_empty() {
            return "There are no namespaces.".to_owned();
        }
        let mut text = "The namespaces are ".to_owned();
        let mut written = 0;
        for (namespace, count) in &self.groups {
            let description = short(&namespace.description, LONGEST);
            let description = description.trim_end_matches('.');
            let group = format!("`{}` ({count}): {description}", namespace.name);
            if text.len() + group.len() > room {
                break;
            }
            text.push_str(if written == 0 { "" } else { "; " });
            text.push_str(&group);
            written += 1;
        }
        match self.groups.len() - written {
            0 => {}
            more => text.push_str(&format!("; and {more} more")),
        }
        match self.bare {
            0 => {}
            1 => text.push_str("; one tool is in none"),
            bare => text.push_str(&format!("; {bare} tools are in none")),
        }
        text + "."
    }
}
