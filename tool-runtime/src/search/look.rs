//! What a search asks for, and what is there.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::check::nearest_names;
use crate::label::LabelText;
use crate::tool::{Shelf, WorkerAgentTool};

use super::Shared;

/// The most tools that one search loads.
const MOST: u32 = 20;
/// How many a search by words loads where it does not say.
const USUAL: u32 = 5;
/// Near names that are offered for a wrong one.
const NEAREST: usize = 3;
/// The most wrong names that near ones are looked for.
const MENDED: usize = 5;
/// The most tools that are named as loaded before.
const KNOWN: usize = 20;
/// The most tools beyond the limit that are named.
const MORE: usize = 10;

/// What the model asks for.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    /// Words for what the tool shall do, for example `list the open orders of a customer`.
    #[schemars(length(min = 1, max = 1_000))]
    pub(super) query: Option<String>,
    /// Looks at the tools of this namespace only; without a query it loads them all, as far as the limit goes.
    #[schemars(length(min = 1, max = 64))]
    pub(super) namespace: Option<String>,
    /// Loads the tools of exactly these names, as `namespace.name` or `name`.
    #[schemars(length(min = 1, max = 20), inner(length(min = 1, max = 200)))]
    pub(super) names: Option<Vec<String>>,
    /// The most tools to load; 5 for a query, else 20.
    #[schemars(range(min = 1, max = 20))]
    pub(super) limit: Option<u32>,
}

impl Wish {
    /// What a person sees while it is looked for.
    pub(super) fn label(&self) -> String {
        let mut label = LabelText::new();
        label.text("Looking for tools: ");
        match (&self.query, &self.namespace, &self.names) {
            (Some(query), ..) => label.text(query),
            (None, _, Some(names)) => label.text(&names.join(", ")),
            (None, Some(namespace), None) => label.text(namespace),
            (None, None, None) => label.text("groups"),
        }
        label.finish()
    }

    fn limit(&self) -> usize {
        let usual = if self.query.is_some() { USUAL } else { MOST };
        usize::try_from(self.limit.unwrap_or(usual).clamp(1, MOST)).unwrap_or(usize::MAX)
    }
}

/// What came of a search; tools as positions in the catalog.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// They are to be loaded.
    pub(super) new: Vec<usize>,
    /// They are before the model already.
    pub(super) known: Vec<usize>,
    /// The first of those that match too and are beyond the limit.
    pub(super) more: Vec<usize>,
    /// Whether there are yet more.
    pub(super) has_yet_more: bool,
    /// Names that lead to no tool of the turn, or to several.
    pub(super) wrong: Vec<Wrong>,
    /// The namespace is none of the turn; the near ones.
    pub(super) wrong_namespace: Option<Vec<String>>,
    /// Words that were probably meant by a query that matches nothing.
    pub(super) near_words: Vec<String>,
}

/// A name that cannot be loaded.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) name: String,
    /// The tools that have it all the same, in different namespaces.
    pub(super) several: Vec<String>,
    /// Near names, where none has it.
    pub(super) near: Vec<String>,
}

impl Found {
    /// The identities of the tools that are to be loaded.
    pub(super) fn loads(&self, shared: &Shared) -> Box<[(Option<String>, String)]> {
        let tools = self.new.iter().filter_map(|&position| shared.set.tools().get(position));
        let identity = |tool: &WorkerAgentTool| {
            let (namespace, name) = identity(tool);
            (namespace.map(str::to_owned), name.to_owned())
        };
        tools.map(identity).collect()
    }

    /// Takes a tool of the turn in, unless it is there or the limit is reached. Gives whether there is use in more.
    fn take(&mut self, position: usize, is_loaded: bool, limit: usize) -> bool {
        let lists = [&self.new, &self.known, &self.more];
        if lists.iter().any(|list| list.contains(&position)) {
            return true;
        }
        if is_loaded && self.known.len() < KNOWN {
            self.known.push(position);
        } else if !is_loaded && self.new.len() < limit {
            self.new.push(position);
        } else if !is_loaded && self.more.len() < MORE {
            self.more.push(position);
        } else if !is_loaded {
            self.has_yet_more = true;
            return false;
        }
        true
    }
}

/// Looks for what the model asks for among the tools that the turn has.
pub(super) fn look(shared: &Shared, wish: &Wish, shelf: &dyn Shelf) -> Found {
    let view = View { shared, shelf };
    let mut found = Found::default();
    for name in wish.names.iter().flatten() {
        match view.exact(name) {
            Ok((position, is_loaded)) => _ = found.take(position, is_loaded, usize::MAX),
            Err(several) => found.wrong.push(Wrong { name: name.clone(), several, near: Vec::new() }),
        }
    }
    let nameless = found.wrong.iter_mut().filter(|wrong| wrong.several.is_empty());
    for wrong in nameless.take(MENDED) {
        wrong.near = nearest_names(&wrong.name, view.names(), NEAREST);
    }
    let namespace = wish.namespace.as_deref();
    if let Some(namespace) = namespace
        && view.members(namespace).next().is_none()
    {
        found.wrong_namespace = Some(nearest_names(namespace, view.namespaces(), NEAREST));
        return found;
    }
    let limit = found.new.len().saturating_add(wish.limit());
    match (&wish.query, namespace) {
        (Some(query), namespace) => view.by_words(query, namespace, limit, &mut found),
        (None, Some(namespace)) => {
            view.members(namespace).all(|(position, _, is_loaded)| found.take(position, is_loaded, limit));
        }
        (None, None) => {}
    }
    found
}

/// The part of a catalog that a turn has.
struct View<'a> {
    shared: &'a Shared,
    shelf: &'a dyn Shelf,
}

impl<'a> View<'a> {
    /// The tool at `position` and whether it is loaded, if the turn has it.
    fn at(&self, position: usize) -> Option<(&'a WorkerAgentTool, bool)> {
        let tool = self.shared.set.tools().get(position)?;
        Some((tool, in_turn(self.shelf, tool)?))
    }

    /// The tools of a namespace, in their order.
    fn members(&self, namespace: &str) -> impl Iterator<Item = (usize, &'a WorkerAgentTool, bool)> {
        let positions = self.shared.by_namespace.get(namespace).map(Vec::as_slice).unwrap_or_default();
        let at = |&position: &usize| self.at(position).map(|(tool, is_loaded)| (position, tool, is_loaded));
        positions.iter().filter_map(at)
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        let there = (0..self.shared.set.len()).filter(|&position| self.at(position).is_some());
        there.filter_map(|position| self.shared.name(position))
    }

    fn namespaces(&self) -> impl Iterator<Item = &'a str> {
        let names = self.shared.by_namespace.keys().map(String::as_str);
        names.filter(|namespace| self.members(namespace).next().is_some())
    }

    /// The one tool of this name.
    ///
    /// # Errors
    ///
    /// The names of all that have it, if these are not one.
    fn exact(&self, name: &str) -> Result<(usize, bool), Vec<String>> {
        let positions = self.shared.by_name.get(name.trim()).map(Vec::as_slice).unwrap_or_default();
        let there: Vec<_> =
            positions.iter().filter_map(|&position| Some((position, self.at(position)?))).collect();
        // A tool without a namespace has its name for itself.
        let bare = there.iter().find(|(_, (tool, _))| identity(tool).0.is_none());
        match (bare, there.as_slice()) {
            (Some(&(position, (_, is_loaded))), _) | (None, &[(position, (_, is_loaded))]) => {
                Ok((position, is_loaded))
            }
            (None, several) => {
                Err(several.iter().map(|(_, (tool, _))| tool.spec().display_name().into_owned()).collect())
            }
        }
    }

    fn by_words(&self, query: &str, namespace: Option<&str>, limit: usize, found: &mut Found) {
        let is_wanted =
            |tool: &WorkerAgentTool| namespace.is_none_or(|wanted| identity(tool).0 == Some(wanted));
        // A query that is a name means the tool of that name before all others.
        let named = self.exact(query).ok().map(|(position, _)| position);
        let before = found.new.len() + found.known.len();
        for position in named.into_iter().chain(self.shared.index.ranked(query)) {
            let Some((tool, is_loaded)) = self.at(position) else { continue };
            if is_wanted(tool) && !found.take(position, is_loaded, limit) {
                break;
            }
        }
        if found.new.len() + found.known.len() == before {
            found.near_words = self.near_words(query);
        }
    }

    /// Words of names that a query of unknown words may mean.
    fn near_words(&self, query: &str) -> Vec<String> {
        let words = super::words::plain(query).into_iter().filter(|word| word.chars().count() > 2);
        let mut near: Vec<String> = Vec::new();
        for word in words.take(MENDED) {
            let vocabulary = self.shared.vocabulary.iter().map(String::as_str).filter(|known| *known != word);
            near.extend(nearest_names(&word, vocabulary, 1));
        }
        near.sort_unstable();
        near.dedup();
        near
    }
}

/// Whether the tool is before the model, if the turn has it.
pub(super) fn in_turn(shelf: &dyn Shelf, tool: &WorkerAgentTool) -> Option<bool> {
    let (namespace, name) = identity(tool);
    shelf.is_loaded(namespace, name)
}

fn identity(tool: &WorkerAgentTool) -> (Option<&str>, &str) {
    let spec = tool.spec();
    (spec.namespace.as_ref().map(|namespace| &*namespace.name), &spec.name)
}
