//! Search of deferred tools without a provider's help: a catalog that turns share, and the tool that looks into it.

mod answer;
mod index;
mod look;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::context::ToolContext;
use crate::schema::ParametersSchema;
use crate::set::{ToolSet, ToolSetError};
use crate::spec::{ExecutionMode, Namespace, ToolSpec};
use crate::tool::{
    Activity, CompletedLabel, Definition, Search, Shelf, Work, WorkerAgentTool, finish, read_json,
};

use answer::Groups;
use index::{Index, vocabulary};
use look::Wish;

/// The most of the tool's description that names namespaces, in characters. Some providers cut descriptions at 1,024.
const DESCRIBED: usize = 600;

/// The name of the tool that looks into a catalog.
pub const TOOL_SEARCH: &str = "tool_search";

/// Tools that a model finds by a search of ours, and the index over them. Made once; clones share it.
///
/// The tools of a catalog that are [deferred](ToolSpec::defer_loading) stay out of every request. The model gets the tool
/// `tool_search` in their place, looks for what it needs (by words, in a namespace, or by exact names), and what is found is
/// listed with its parameters from the next request on: for the rest of the turn, and in later ones for as long as the search
/// is in the conversation. This needs nothing of the provider: all formats are served alike, and a provider that has a search
/// of its own is not asked to use it. Leave `tool_search` out of the list to have the provider search.
///
/// A search finds only what is in the turn's own list, so the list may be any part of the catalog.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::{Namespace, ToolCatalog, ToolSet, ToolSpec, tools, worker_tool};
///
/// const CRM: Namespace = Namespace::new("crm", "Customers and their orders.");
///
/// /// Finds a customer by a part of the name.
/// #[worker_tool(read_only, parallel, namespace = CRM, defer_loading)]
/// async fn find_customer(#[param] name: String) -> String {
///     format!("customer 7 is {name}")
/// }
///
/// /// Tells the time.
/// #[worker_tool(read_only, parallel)]
/// async fn clock() -> &'static str {
///     "noon"
/// }
///
/// // Once for the program …
/// let catalog = ToolCatalog::new(tools![find_customer])?;
///
/// // … and for each turn. `Agent::new` takes the same list.
/// let mut set = ToolSet::new(tools![clock, ..catalog.tools()])?;
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let found = set.call("tool_search", r#"{"query": "customers"}"#).await?;
/// assert!(found.text().contains("crm.find_customer: Finds a customer by a part of the name."));
/// # Ok::<(), tool_runtime::CallError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ToolCatalog {
    shared: Arc<Shared>,
    search: WorkerAgentTool,
}

impl ToolCatalog {
    /// Indexes the tools: names (taken apart at `_`, `-`, `.` and where their case changes), namespaces, titles, search
    /// texts, descriptions, and the names of parameters. Takes some 200 ms for 5,000 tools.
    ///
    /// # Errors
    ///
    /// When the tools are no set, see [`ToolSet::new`], or one of them is named [`tool_search`](TOOL_SEARCH).
    pub fn new(tools: Vec<WorkerAgentTool>) -> Result<Self, ToolSetError> {
        let set = ToolSet::new(tools)?;
        let shared = Arc::new(Shared::new(set));
        let catalog = Self { search: search_tool(&shared), shared };
        ToolSet::new(catalog.tools())?;
        Ok(catalog)
    }

    /// The tools of a turn: `tool_search`, and behind it all tools of the catalog.
    #[must_use]
    pub fn tools(&self) -> Vec<WorkerAgentTool> {
        let mut tools = Vec::with_capacity(self.len() + 1);
        tools.push(self.search.clone());
        tools.extend(self.shared.set.tools().iter().cloned());
        tools
    }

    /// The tool that searches, for turns that list only some tools of the catalog.
    pub fn search_tool(&self) -> WorkerAgentTool {
        self.search.clone()
    }

    /// The tools that have a word of `query`, the best first.
    pub fn find(&self, query: &str) -> impl Iterator<Item = &WorkerAgentTool> {
        self.shared.index.ranked(query).filter_map(|position| self.shared.set.tools().get(position))
    }

    /// How many tools it holds, `tool_search` not counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shared.set.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shared.set.is_empty()
    }
}

impl fmt::Debug for ToolCatalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCatalog").field("tools", &self.len()).finish_non_exhaustive()
    }
}

/// What all clones of a catalog share.
struct Shared {
    set: ToolSet,
    index: Index,
    /// By position, as people call them.
    names: Vec<String>,
    /// Positions by every spelling of a name that a model may have seen.
    by_name: HashMap<String, Vec<usize>>,
    by_namespace: HashMap<String, Vec<usize>>,
    vocabulary: Vec<String>,
}

impl Shared {
    fn new(set: ToolSet) -> Self {
        let tools = set.tools();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_namespace: HashMap<String, Vec<usize>> = HashMap::new();
        for (position, tool) in tools.iter().enumerate() {
            let spec = tool.spec();
            by_name.entry(spec.name.to_string()).or_default().push(position);
            if let Some(Namespace { name: namespace, .. }) = &spec.namespace {
                by_name.entry(format!("{namespace}.{}", spec.name)).or_default().push(position);
                by_namespace.entry(namespace.to_string()).or_default().push(position);
            }
        }
        for (position, _) in tools.iter().enumerate() {
            // As providers without namespaces list it.
            let Some(flat) = set.wire_names().name(position) else { continue };
            let known = by_name.entry(flat.to_owned()).or_default();
            if known.is_empty() {
                known.push(position);
            }
        }
        let names = tools.iter().map(|tool| tool.spec().display_name().into_owned()).collect();
        Self { index: Index::new(tools), names, by_name, by_namespace, vocabulary: vocabulary(tools), set }
    }

    /// The tool at `position`, as people call it.
    fn name(&self, position: usize) -> Option<&str> {
        self.names.get(position).map(String::as_str)
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("tools", &self.set.len()).finish_non_exhaustive()
    }
}

impl Search for Shared {
    fn knows(&self, namespace: Option<&str>, name: &str) -> bool {
        self.set.position(namespace, name).is_some()
    }
}

fn search_tool(shared: &Arc<Shared>) -> WorkerAgentTool {
    let spec = ToolSpec::new(TOOL_SEARCH, description(shared))
        .title("Search for tools")
        .execution_mode(ExecutionMode::Parallel)
        .read_only(true)
        .idempotent(true)
        .open_world(false);
    let search: Arc<dyn Search> = Arc::clone(shared) as Arc<dyn Search>;
    let definition = Definition::new(spec, ParametersSchema::of::<Wish>()).searching(search);
    let shared = Arc::clone(shared);
    let prepare =
        move |text: &str, _: Option<&ToolContext>, label: Option<&mut Activity>, shelf: &dyn Shelf| {
            let wish: Wish = read_json(text)?;
            if let Some(label) = label {
                *label = Activity::Label(wish.label());
            }
            let found = look::look(&shared, &wish, shelf);
            let (output, loads) = (answer::output(&shared, &wish, &found, shelf), found.loads(&shared));
            let work: Work = Box::pin(async move {
                let completed: CompletedLabel<_> = Box::new(|found: &answer::Details| Some(found.label()));
                let mut output = finish(Ok(output), Some(completed))?;
                output.loads = loads;
                Ok(output)
            });
            Ok(work)
        };
    WorkerAgentTool::from_parts(Arc::new(definition), Arc::new(prepare))
}

fn description(shared: &Shared) -> String {
    let deferred = shared.set.deferred().count();
    let groups = Groups::of(shared.set.tools().iter()).text(DESCRIBED);
    format!(
        "Finds tools that are not listed yet and loads them: what it finds is listed with its parameters from your next \
         response on and can be called then. Look for what you want to do, in English words, before you say that you \
         cannot do it. There are {deferred} such tools. {groups}."
    )
}
