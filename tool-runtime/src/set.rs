//! The tools of one turn: ordered, unique, checked.

mod definitions;
mod error;
mod names;

pub(crate) use definitions::Definitions;
pub use error::{ToolProblem, ToolSetError};
pub(crate) use names::WireNames;
#[cfg(feature = "mcp")]
pub(crate) use names::free_name;

use std::sync::OnceLock;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::call::ToolResult;
use crate::spec::Namespace;
use crate::tool::{Dialect, PerDialect, Shelf, WorkerAgentTool};

/// The tools of one turn, in the order they were listed. Each has its own (namespace, name), and none has a fault.
///
/// ```
/// use tool_runtime::{ToolContext, ToolSet, tools, worker_tool};
///
/// /// Adds two numbers.
/// #[worker_tool(read_only, parallel)]
/// async fn add(#[param] a: i64, #[param] b: i64) -> i64 {
///     a + b
/// }
///
/// let set = ToolSet::new(tools![add])?;
/// assert_eq!(set.len(), 1);
///
/// let error = ToolSet::new(tools![add, add()]).unwrap_err();
/// assert!(error.to_string().contains("two tools are named `add`"));
/// # Ok::<(), tool_runtime::ToolSetError>(())
/// ```
#[derive(Debug)]
pub struct ToolSet {
    tools: Vec<WorkerAgentTool>,
    index: Index,
    loading: Vec<Loading>,
    wire_names: OnceLock<WireNames>,
    definitions: PerDialect<Definitions>,
    /// The tool that looks for the deferred ones, if we search ourselves.
    search: Option<usize>,
}

/// Whether a tool's parameters are before the model, and who put them there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loading {
    /// They stand in the list of tools.
    Listed,
    /// They are behind tool search.
    Deferred,
    /// A tool search put them before the model: the provider's, in whose list they stay deferred, or ours.
    Found,
}

impl ToolSet {
    /// Checks the list and makes the set.
    ///
    /// # Errors
    ///
    /// Lists every fault of every tool, every (namespace, name) that is given twice, and every namespace with two
    /// descriptions. Nothing is dropped or replaced.
    pub fn new(tools: Vec<WorkerAgentTool>) -> Result<Self, ToolSetError> {
        let mut problems = Vec::new();
        let mut index = Index::with_capacity(tools.len());
        let mut namespaces: Vec<&Namespace> = Vec::new();
        let search = tools.iter().position(|tool| tool.definition().search().is_some());
        for (position, tool) in tools.iter().enumerate() {
            let spec = tool.spec();
            let faults = tool.definition().faults();
            problems.extend(faults.iter().map(|fault| ToolProblem::of(tool, fault.clone())));
            if let Some(first) = index.insert(&tools, position) {
                let name = spec.display_name();
                problems.push(ToolProblem::of(
                    tool,
                    format!(
                        "two tools are named `{name}`: entries {} and {} of the list",
                        first + 1,
                        position + 1
                    ),
                ));
            }
            let is_lost = |at: usize| tools.get(at).is_some_and(|search| is_out_of_reach(search, tool));
            if search.is_some_and(is_lost) {
                let lost = "it is deferred, and the catalog that is searched does not hold it: put it into the catalog";
                problems.push(ToolProblem::of(tool, lost.to_owned()));
            }
            let Some(namespace) = &spec.namespace else { continue };
            match namespaces.iter().find(|known| known.name == namespace.name) {
                None => namespaces.push(namespace),
                Some(known) if known.description == namespace.description => {}
                Some(known) => problems.push(ToolProblem::of(
                    tool,
                    format!(
                        "its namespace `{}` has another description than before: `{}` and `{}`",
                        namespace.name, known.description, namespace.description
                    ),
                )),
            }
        }
        if !problems.is_empty() {
            return Err(ToolSetError { problems });
        }
        let initial = |tool: &WorkerAgentTool| {
            if tool.spec().defer_loading { Loading::Deferred } else { Loading::Listed }
        };
        let loading = tools.iter().map(initial).collect();
        Ok(Self {
            tools,
            index,
            loading,
            wire_names: OnceLock::new(),
            definitions: PerDialect::default(),
            search,
        })
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// All tools, in order.
    pub fn tools(&self) -> &[WorkerAgentTool] {
        &self.tools
    }

    /// The tools whose parameters are before the model, in order.
    pub fn loaded(&self) -> impl Iterator<Item = &WorkerAgentTool> {
        self.by_loading(|loading| loading != Loading::Deferred)
    }

    /// The tools that are still behind tool search, in order.
    pub fn deferred(&self) -> impl Iterator<Item = &WorkerAgentTool> {
        self.by_loading(|loading| loading == Loading::Deferred)
    }

    fn by_loading(&self, wanted: impl Fn(Loading) -> bool) -> impl Iterator<Item = &WorkerAgentTool> {
        self.tools
            .iter()
            .zip(&self.loading)
            .filter_map(move |(tool, &loading)| wanted(loading).then_some(tool))
    }

    /// The tool of this identity.
    #[must_use]
    pub fn get(&self, namespace: Option<&str>, name: &str) -> Option<&WorkerAgentTool> {
        self.position(namespace, name).and_then(|position| self.tools.get(position))
    }

    /// Puts a deferred tool before the model for the rest of the turn: from now on it is listed with its parameters.
    /// Gives whether there is such a tool.
    pub fn load(&mut self, namespace: Option<&str>, name: &str) -> bool {
        let position = self.position(namespace, name);
        if position.is_some_and(|at| self.set_loading(at, Loading::Listed)) {
            self.definitions = PerDialect::default();
        }
        position.is_some()
    }

    /// Notes that a tool search put a deferred tool before the model: it may be called from now on. Where the provider
    /// searches, the list of tools stays as it is, since its beginning is what providers cache. Gives whether there is such
    /// a tool.
    pub fn mark_found(&mut self, namespace: Option<&str>, name: &str) -> bool {
        // Found by a search, a tool without a namespace is named by its own name as the namespace.
        let bare = || (namespace == Some(name)).then(|| self.position(None, name)).flatten();
        let position = self.position(namespace, name).or_else(bare);
        if let Some(at) = position
            && !self.is_loaded(at)
        {
            self.set_loading(at, Loading::Found);
            // Formats without tool search list it from now on.
            self.definitions = PerDialect::default();
        }
        position.is_some()
    }

    /// Loads what searches of a shared catalog found, for programs that have a loop of their own;
    /// [`Agent`](crate::Agent) does it after each round. Gives how many tools were loaded by it.
    pub fn load_found(&mut self, results: &[ToolResult]) -> usize {
        let outputs = results.iter().filter_map(|result| result.outcome.as_ref().ok());
        let before = self.deferred().count();
        for (namespace, name) in outputs.flat_map(|output| &output.loads) {
            self.mark_found(namespace.as_deref(), name);
        }
        before - self.deferred().count()
    }

    /// Gives whether that changed anything.
    fn set_loading(&mut self, position: usize, to: Loading) -> bool {
        self.loading.get_mut(position).is_some_and(|loading| std::mem::replace(loading, to) != to)
    }

    /// Whether the tool at `position` is before the model.
    #[inline]
    pub(crate) fn is_loaded(&self, position: usize) -> bool {
        self.loading.get(position).is_some_and(|&loading| loading != Loading::Deferred)
    }

    /// Whether the provider lists the tool at `position` without its parameters.
    pub(crate) fn is_listed_deferred(&self, position: usize) -> bool {
        let listed = |&loading| match self.search {
            Some(_) => loading != Loading::Deferred,
            None => loading == Loading::Listed,
        };
        self.loading.get(position).is_some_and(|loading| !listed(loading))
    }

    /// Whether a provider that knows deferred tools is to be told of the tool at `position`. One that we search ourselves is
    /// no part of the request before it is loaded.
    pub(crate) fn is_told(&self, position: usize) -> bool {
        self.search.is_none() || self.is_loaded(position)
    }

    /// Whether a search put the tool at `position` before the model.
    pub(crate) fn is_found(&self, position: usize) -> bool {
        self.loading.get(position).is_some_and(|&loading| loading == Loading::Found)
    }

    /// The tool that looks for the deferred ones, if we search ourselves.
    pub(crate) fn search_tool(&self) -> Option<&WorkerAgentTool> {
        self.search.and_then(|at| self.tools.get(at))
    }

    /// The list of all tools in a provider's format, made by the first who asks and kept until a tool is loaded.
    pub(crate) fn definitions(&self, dialect: Dialect, make: impl FnOnce() -> Definitions) -> &Definitions {
        self.definitions.get_or_init(dialect, make)
    }

    #[inline]
    pub(crate) fn position(&self, namespace: Option<&str>, name: &str) -> Option<usize> {
        self.index.find(&self.tools, namespace, name)
    }

    /// The names for providers that have no namespaces.
    pub(crate) fn wire_names(&self) -> &WireNames {
        self.wire_names.get_or_init(|| WireNames::new(&self.tools))
    }
}

impl Shelf for ToolSet {
    fn is_loaded(&self, namespace: Option<&str>, name: &str) -> Option<bool> {
        self.position(namespace, name).map(|at| self.is_loaded(at))
    }
}

/// Whether `tool` is deferred and `search` cannot find it.
fn is_out_of_reach(search: &WorkerAgentTool, tool: &WorkerAgentTool) -> bool {
    let (namespace, name) = identity(tool);
    let search = search.definition().search();
    tool.spec().defer_loading && search.is_some_and(|search| !search.knows(namespace, name))
}

/// Positions by identity. Keeps no copies of the names.
#[derive(Debug)]
struct Index(HashTable<usize>);

impl Index {
    fn with_capacity(capacity: usize) -> Self {
        Self(HashTable::with_capacity(capacity))
    }

    #[inline]
    fn find(&self, tools: &[WorkerAgentTool], namespace: Option<&str>, name: &str) -> Option<usize> {
        let is_it = |at: &usize| tools.get(*at).is_some_and(|tool| is_named(tool, namespace, name));
        self.0.find(hash(name), is_it).copied()
    }

    /// The position that has the identity already; else the new one is kept.
    fn insert(&mut self, tools: &[WorkerAgentTool], position: usize) -> Option<usize> {
        let (namespace, name) = identity(tools.get(position)?);
        let is_it = |at: &usize| tools.get(*at).is_some_and(|tool| is_named(tool, namespace, name));
        let hash_at = |at: &usize| tools.get(*at).map_or(0, |tool| hash(&tool.spec().name));
        match self.0.entry(hash(name), is_it, hash_at) {
            Entry::Occupied(taken) => Some(*taken.get()),
            Entry::Vacant(free) => {
                free.insert(position);
                None
            }
        }
    }
}

/// A hash of a tool's name. Not of its namespace too: few names stand in several.
#[inline]
fn hash(name: &str) -> u64 {
    const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(byte, of_name)| *byte = *of_name);
    words.iter().chain([&last]).fold(!0, |hash, word| {
        let product = u128::from(hash ^ u64::from_le_bytes(*word)) * FACTOR;
        // Both halves, so that every bit of the name counts in every bit of the hash.
        (product >> 64) as u64 ^ product as u64
    })
}

/// Whether the tool has this identity; the name first, since it tells most of them apart.
#[inline]
fn is_named(tool: &WorkerAgentTool, namespace: Option<&str>, name: &str) -> bool {
    let spec = tool.spec();
    *spec.name == *name && spec.namespace.as_ref().map(|namespace| &*namespace.name) == namespace
}

fn identity(tool: &WorkerAgentTool) -> (Option<&str>, &str) {
    let spec = tool.spec();
    (spec.namespace.as_ref().map(|namespace| &*namespace.name), &spec.name)
}
