//! A server's list as tools of ours.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rmcp::model::{JsonObject, PaginatedRequestParams, Tool};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::context::ToolContext;
use crate::output::cut;
use crate::set::{ToolSet, free_name};
use crate::spec::{ExecutionMode, Namespace, ToolSpec};
use crate::tool::WorkerAgentTool;

use super::call::call;
use super::link::Link;
use super::{LeftOut, McpError, Trust};

/// The longest description that is taken from a server, in bytes; the rest is cut with a note.
const MAX_DESCRIPTION: usize = 16_384;
/// The most pages of a list.
const MAX_PAGES: usize = 1_000;

/// A server's tools, and what could not be taken.
pub(super) struct RemoteTools {
    pub(super) tools: Vec<WorkerAgentTool>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) revision: u64,
}

/// Lists a server's tools.
pub(super) async fn list(link: &Arc<Link>) -> Result<RemoteTools, McpError> {
    // Read before the list: what changes meanwhile is seen as a change.
    let revision = link.revision();
    let limit = link.client.connect_timeout;
    let listed = tokio::time::timeout(limit, pages(link)).await;
    let (offered, surplus, instructions) = listed
        .map_err(|_| link.error(format!("did not list its tools within {} s", limit.as_secs_f32())))??;
    let mut take = Take::new(link, instructions);
    for tool in offered {
        take.tool(tool);
    }
    for tool in surplus {
        take.leave_out(&tool.name, format!("only the first {} tools are taken", link.client.max_tools));
    }
    link.worked().await;
    Ok(RemoteTools { tools: take.tools, left_out: take.left_out, revision })
}

type Pages = (Vec<Tool>, Vec<Tool>, Option<String>);

async fn pages(link: &Link) -> Result<Pages, McpError> {
    let line = link.line().await?;
    let (mut offered, mut cursor, mut seen) = (Vec::new(), None, HashSet::new());
    for _ in 0..MAX_PAGES {
        let request = PaginatedRequestParams::default().with_cursor(cursor.clone());
        let page = line.peer.list_tools(Some(request)).await;
        let page = page.map_err(|error| link.error(format!("did not list its tools: {error}")))?;
        offered.extend(page.tools);
        cursor = page.next_cursor;
        let Some(next) = &cursor else { break };
        if !seen.insert(next.clone()) {
            return Err(link.error("lists its tools in a circle: the same cursor came twice"));
        }
        if offered.len() > link.client.max_tools {
            break;
        }
    }
    let surplus = offered.split_off(offered.len().min(link.client.max_tools));
    Ok((offered, surplus, line.instructions))
}

/// Takes tools one by one.
struct Take<'a> {
    link: &'a Arc<Link>,
    namespace: Namespace,
    tools: Vec<WorkerAgentTool>,
    left_out: Vec<LeftOut>,
    /// Our names, by which no two tools are the same.
    names: HashMap<String, usize>,
    /// The server's names.
    offered: HashSet<String>,
}

impl<'a> Take<'a> {
    fn new(link: &'a Arc<Link>, instructions: Option<String>) -> Self {
        let client = &link.client;
        let namespace = client.namespace.clone().unwrap_or_else(|| {
            let about = instructions.filter(|text| !text.trim().is_empty());
            let about = about.unwrap_or_else(|| format!("The tools of the server `{}`.", client.name));
            Namespace { name: legal(&client.name).into(), description: short(about).into() }
        });
        // A tool with the name of its namespace is no legal pair.
        let names = HashMap::from([(namespace.name.to_string(), usize::MAX)]);
        Self { link, namespace, tools: Vec::new(), left_out: Vec::new(), names, offered: HashSet::new() }
    }

    fn leave_out(&mut self, tool: &str, reason: String) {
        let server = self.link.client.name.clone();
        self.left_out.push(LeftOut { server, tool: tool.to_owned(), reason });
    }

    fn tool(&mut self, offered: Tool) {
        let name = offered.name.to_string();
        if name.trim().is_empty() {
            return self.leave_out(&name, "it has no name".to_owned());
        }
        if !self.offered.insert(name.clone()) {
            return self.leave_out(&name, "another tool of the server has the same name".to_owned());
        }
        let ours = free_name(&legal(&name), &self.names);
        let tool = self.build(offered, &ours);
        // A set of one finds what is wrong with the one.
        match ToolSet::new(vec![tool.clone()]) {
            Ok(_) => {
                self.names.insert(ours, self.tools.len());
                self.tools.push(tool);
            }
            Err(error) => {
                let reasons: Vec<_> = error.problems.iter().map(|problem| problem.message.as_str()).collect();
                self.leave_out(&name, reasons.join("; "));
            }
        }
    }

    fn build(&self, offered: Tool, ours: &str) -> WorkerAgentTool {
        let client = &self.link.client;
        let description = offered.description.as_deref().filter(|text| !text.trim().is_empty());
        let description = match description {
            Some(text) => short(text.to_owned()),
            None => format!("The tool `{}` of the server `{}`.", offered.name, client.name),
        };
        let mut spec = ToolSpec::new(ours.to_owned(), description)
            .namespace(self.namespace.clone())
            .defer_loading(client.defer_loading);
        let annotations = offered.annotations.unwrap_or_default();
        spec.title = offered.title.or(annotations.title).map(Into::into);
        spec.output_schema = offered.output_schema.map(|schema| Value::Object(JsonObject::clone(&schema)));
        if client.trust == Trust::Annotations {
            spec.read_only = annotations.read_only_hint.unwrap_or(false);
            spec.destructive = annotations.destructive_hint.filter(|_| !spec.read_only);
            spec.idempotent = annotations.idempotent_hint.unwrap_or(false);
            spec.open_world = annotations.open_world_hint.unwrap_or(true);
        }
        spec.execution_mode =
            if spec.read_only { ExecutionMode::Parallel } else { ExecutionMode::Sequential };
        let (link, theirs) = (Arc::clone(self.link), Arc::<str>::from(&*offered.name));
        let label = format!("{}: {theirs}", client.name);
        spec.schema::<Box<RawValue>>(Value::Object(JsonObject::clone(&offered.input_schema)))
            .activity(move |_| Some(label.clone()))
            .execute(move |arguments, context: ToolContext| {
                let (link, theirs) = (Arc::clone(&link), Arc::clone(&theirs));
                async move { call(&link, &theirs, &arguments, &context).await }
            })
    }
}

/// The nearest name that every provider takes.
fn legal(name: &str) -> String {
    let character = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let mut legal: String = name.chars().map(character).collect();
    if !legal.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        legal.insert(0, '_');
    }
    legal
}

/// A text that is not longer than is worth reading.
fn short(mut text: String) -> String {
    cut(&mut text, MAX_DESCRIPTION);
    text
}
