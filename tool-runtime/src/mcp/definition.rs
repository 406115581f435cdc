//! Our tools as the protocol describes them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use crate::provider::described;
use crate::set::ToolSet;
use crate::spec::{AllowedCallers, ToolSpec};
use crate::tool::WorkerAgentTool;

/// The entries of a set as `tools/list` gives them, in order.
///
/// Names are those that providers without namespaces get. Tools that only a program may call are left out: the protocol
/// knows no programs. There is no tool search either, so deferred tools stand in the list like all others.
#[must_use]
pub fn definitions(set: &ToolSet) -> Vec<Value> {
    // An entry is plain data with text keys, which can always be written.
    entries(set).filter_map(|(_, entry)| serde_json::to_value(entry).ok()).collect()
}

/// The entries of a set, each with the position of its tool.
pub(super) fn entries(set: &ToolSet) -> impl Iterator<Item = (usize, Tool)> {
    let listed = |tool: &WorkerAgentTool| tool.spec().allowed_callers != AllowedCallers::Programmatic;
    let named = |(position, tool)| Some((position, entry(set.wire_names().name(position)?, tool)));
    set.tools().iter().enumerate().filter(move |(_, tool)| listed(tool)).filter_map(named)
}

fn entry(name: &str, tool: &WorkerAgentTool) -> Tool {
    let spec = tool.spec();
    let parameters = object(tool.definition().parameters().as_value()).unwrap_or_default();
    let mut entry = Tool::new(name.to_owned(), described(spec).into_owned(), parameters);
    entry.title = spec.title.as_deref().map(str::to_owned);
    entry.output_schema = spec.output_schema.as_ref().and_then(object).filter(is_object_schema);
    entry.with_annotations(annotations(spec))
}

/// Every hint is given, since the protocol's defaults for missing ones differ from host to host in practice.
fn annotations(spec: &ToolSpec) -> ToolAnnotations {
    let hints = ToolAnnotations::new().read_only(spec.read_only).open_world(spec.open_world);
    hints.destructive(spec.is_destructive()).idempotent(spec.idempotent)
}

fn object(schema: &Value) -> Option<Arc<JsonObject>> {
    schema.as_object().map(|object| Arc::new(object.clone()))
}

/// Hosts of the revisions before 2026-07-28 take structured results that are objects only.
fn is_object_schema(schema: &Arc<JsonObject>) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}
