//! Tools as the `tools` of a request.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::model::Offer;
use crate::provider::body::separate;
use crate::provider::flat::described;
use crate::set::{Definitions, ToolSet};
use crate::spec::AllowedCallers;
use crate::tool::{Definition, Dialect, WireEntry, WorkerAgentTool};

use super::{Schemas, Settings};

/// The tools of a set as the provider gets them: a JSON array with one entry for all functions, in the order of the set, each
/// under a flat name. Tools that are not loaded, and those that only programs may call, are left out.
#[must_use]
pub fn encode_tools(settings: &Settings, set: &ToolSet) -> String {
    tools_array(&offered(settings.schemas, set, Offer::All), &settings.hosted)
}

/// The declarations of the tools that a request offers. Those of a whole set are made once and kept.
pub(super) fn offered<'a>(schemas: Schemas, set: &'a ToolSet, offer: Offer<'_>) -> Cow<'a, Definitions> {
    let dialect = match schemas {
        Schemas::JsonSchema => Dialect::Gemini,
        Schemas::OpenApi => Dialect::GeminiOpenApi,
    };
    match offer {
        Offer::All => Cow::Borrowed(set.definitions(dialect, || join(dialect, set, |_| true))),
        Offer::None => Cow::Owned(Definitions::default()),
        Offer::Only(names) => {
            Cow::Owned(join(dialect, set, |tool| names.iter().any(|name| name.is_of(tool))))
        }
    }
}

/// Whether the tool at `position` can stand in the list at all.
pub(super) fn is_listed(set: &ToolSet, position: usize) -> bool {
    let tool = set.tools().get(position);
    set.is_loaded(position)
        && tool.is_some_and(|tool| tool.spec().allowed_callers != AllowedCallers::Programmatic)
}

/// The whole array.
pub(super) fn tools_array(offered: &Definitions, hosted: &[Value]) -> String {
    let mut text = String::with_capacity(offered.text.len() + 40);
    text.push('[');
    if !offered.text.is_empty() {
        text.push_str(r#"{"functionDeclarations":["#);
        text.push_str(&offered.text);
        text.push_str("]}");
    }
    for entry in hosted {
        separate(&mut text);
        text.push_str(&entry.to_string());
    }
    text.push(']');
    text
}

fn join(dialect: Dialect, set: &ToolSet, wanted: impl Fn(&WorkerAgentTool) -> bool) -> Definitions {
    let mut list = Definitions::default();
    let listed = set.tools().iter().enumerate().filter(|&(position, _)| is_listed(set, position));
    for (position, tool) in listed.filter(|(_, tool)| wanted(tool)) {
        let Some(name) = set.wire_names().name(position) else { continue };
        let entry = tool.definition().wire(dialect, || entry(dialect, tool.definition()));
        separate(&mut list.text);
        // The flat name depends on the other tools of the set, so it is no part of the kept entry.
        list.text.push_str(&format!(r#"{{"name":{},{}}}"#, Value::from(name), entry.text));
        list.count += 1;
    }
    list
}

/// The declaration of a tool, without its name and the braces around.
fn entry(dialect: Dialect, definition: &Definition) -> WireEntry {
    let parameters = definition.parameters();
    let (key, schema) = match dialect {
        Dialect::GeminiOpenApi => ("parameters", parameters.to_gemini_open_api()),
        _ => ("parametersJsonSchema", parameters.to_gemini()),
    };
    let mut fields = Map::from_iter([("description".to_owned(), described(definition.spec()).into())]);
    fields.extend(schema.map(|schema| (key.to_owned(), schema)));
    let text = Value::Object(fields).to_string();
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    WireEntry { text: inner.unwrap_or_default().to_owned(), ..WireEntry::default() }
}
