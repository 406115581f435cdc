//! Tools as the `tools` of a request.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::model::Offer;
use crate::provider::body::separate;
use crate::provider::parameters::Parameters;
use crate::set::{Definitions, ToolSet};
use crate::spec::{AllowedCallers, Input, Namespace, TextFormat, ToolSpec};
use crate::tool::{Definition, Dialect, WireEntry, WorkerAgentTool};

/// The tools of a set as the provider gets them: a JSON array, in the order of the set, a namespace where its first member
/// stands. Behind them stand the entries that they need: tool search for deferred ones, programs for those that programs may
/// call.
#[must_use]
pub fn encode_tools(set: &ToolSet) -> String {
    tools_array(&offered(false, set, Offer::All), &[])
}

/// The entries of the tools that a request offers. Those of a whole set are made once and kept.
pub(super) fn offered<'a>(client_search: bool, set: &'a ToolSet, offer: Offer<'_>) -> Cow<'a, Definitions> {
    let dialect = match client_search && set.search_tool().is_some() {
        true => Dialect::ResponsesSearch,
        false => Dialect::Responses,
    };
    match offer {
        Offer::All => Cow::Borrowed(set.definitions(dialect, || join(dialect, set, |_| true))),
        Offer::None => Cow::Owned(Definitions::default()),
        Offer::Only(names) => {
            Cow::Owned(join(dialect, set, |tool| names.iter().any(|name| name.is_of(tool))))
        }
    }
}

/// The whole array; empty if there is nothing to offer.
pub(super) fn tools_array(offered: &Definitions, hosted: &[Value]) -> String {
    let mut text = String::with_capacity(offered.text.len() + 100);
    text.push('[');
    text.push_str(&offered.text);
    let needed = [(offered.deferred, "tool_search"), (offered.programmatic, "programmatic_tool_calling")];
    // One of each kind is allowed in a request, and a host may have brought its own.
    let brought = |kind: &str| hosted.iter().any(|entry| entry.get("type").is_some_and(|own| own == kind));
    let needed = needed.into_iter().filter(|&(is_needed, kind)| is_needed && !brought(kind));
    let entries = needed.map(|(_, kind)| json!({ "type": kind }));
    for entry in entries.chain(hosted.iter().cloned()) {
        separate(&mut text);
        text.push_str(&entry.to_string());
    }
    text.push(']');
    text
}

/// What stands at one place of the list.
enum Place<'a> {
    Tool(usize),
    Namespace(&'a Namespace, Vec<usize>),
}

fn join(dialect: Dialect, set: &ToolSet, wanted: impl Fn(&WorkerAgentTool) -> bool) -> Definitions {
    // What a search in the conversation found is defined there.
    let is_listed = |position: usize| {
        set.is_told(position) && !(dialect == Dialect::ResponsesSearch && set.is_found(position))
    };
    let places = places(set, is_listed, wanted);
    let text = String::with_capacity(room(dialect, set, &places));
    let mut list = Definitions { text, ..Definitions::default() };
    for place in &places {
        match place {
            Place::Tool(position) => list.push(dialect, set, *position),
            Place::Namespace(namespace, members) => {
                separate(&mut list.text);
                let head = json!({
                    "type": "namespace",
                    "name": namespace.name,
                    "description": namespace.description,
                });
                let head = head.to_string();
                list.text.push_str(head.strip_suffix('}').unwrap_or(&head));
                list.text.push_str(r#","tools":["#);
                members.iter().for_each(|&position| list.push(dialect, set, position));
                list.text.push_str("]}");
            }
        }
    }
    list
}

/// About how long the list becomes, so that it grows once.
fn room(dialect: Dialect, set: &ToolSet, places: &[Place<'_>]) -> usize {
    /// What a comma and `"defer_loading":true` take.
    const BESIDE: usize = 24;
    let of_tool = |position: &usize| {
        set.tools().get(*position).map_or(0, |tool| entry(dialect, tool.definition()).text.len() + BESIDE)
    };
    let of_place = |place: &Place<'_>| match place {
        Place::Tool(position) => of_tool(position),
        Place::Namespace(namespace, members) => {
            namespace.description.len() + members.iter().map(of_tool).sum::<usize>()
        }
    };
    places.iter().map(of_place).sum()
}

fn places(
    set: &ToolSet,
    is_listed: impl Fn(usize) -> bool,
    wanted: impl Fn(&WorkerAgentTool) -> bool,
) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    let listed = set.tools().iter().enumerate().filter(|&(position, _)| is_listed(position));
    for (position, tool) in listed.filter(|(_, tool)| wanted(tool)) {
        let Some(namespace) = &tool.spec().namespace else {
            places.push(Place::Tool(position));
            continue;
        };
        let at = *place_of.entry(&namespace.name).or_insert(places.len());
        match places.get_mut(at) {
            Some(Place::Namespace(_, members)) => members.push(position),
            _ => places.push(Place::Namespace(namespace, vec![position])),
        }
    }
    places
}

impl Definitions {
    fn push(&mut self, dialect: Dialect, set: &ToolSet, position: usize) {
        let Some(tool) = set.tools().get(position) else { return };
        let entry = entry(dialect, tool.definition());
        separate(&mut self.text);
        self.count += 1;
        if set.is_listed_deferred(position) {
            self.deferred = true;
            self.text.push_str(&deferred(entry));
        } else {
            self.text.push_str(&entry.text);
        }
        self.programmatic |= tool.spec().allowed_callers != AllowedCallers::Direct;
        if let Some(reason) = &entry.strict_dropped {
            self.strict_dropped.push((tool.spec().display_name().into_owned(), reason.clone()));
        }
    }
}

/// The entry of a tool whose parameters are behind a search.
fn deferred(entry: &WireEntry) -> String {
    format!(r#"{},"defer_loading":true}}"#, entry.text.strip_suffix('}').unwrap_or(&entry.text))
}

/// The same of a tool that was found, as JSON.
pub(super) fn deferred_entry(definition: &Definition) -> Value {
    serde_json::from_str(&deferred(entry(Dialect::Responses, definition))).unwrap_or_default()
}

/// The tool's own entry, without what depends on the turn.
fn entry(dialect: Dialect, definition: &Definition) -> &WireEntry {
    if dialect == Dialect::ResponsesSearch && definition.search().is_some() {
        return definition.wire(dialect, || search(definition));
    }
    definition.wire(Dialect::Responses, || match &definition.spec().input {
        Input::Json => function(definition),
        Input::Text(format) => custom(definition.spec(), format),
    })
}

fn function(definition: &Definition) -> WireEntry {
    let spec = definition.spec();
    let Parameters { schema, strict, strict_dropped } = Parameters::of(definition);
    let mut fields = head("function", spec);
    fields.insert("parameters".to_owned(), schema);
    // Left out, it would not mean `false`: the provider then closes the schema and makes optional fields mandatory.
    fields.insert("strict".to_owned(), strict.into());
    if let Some(schema) = &spec.output_schema {
        fields.insert("output_schema".to_owned(), schema.clone());
    }
    insert_callers(&mut fields, spec.allowed_callers);
    WireEntry { text: Value::Object(fields).to_string(), strict_dropped, ..WireEntry::default() }
}

/// Our search, as a tool search.
fn search(definition: &Definition) -> WireEntry {
    let entry = json!({
        "type": "tool_search",
        "execution": "client",
        "description": definition.spec().description,
        "parameters": definition.parameters().to_openai(),
    });
    WireEntry { text: entry.to_string(), ..WireEntry::default() }
}

fn custom(spec: &ToolSpec, format: &TextFormat) -> WireEntry {
    let format = match format {
        TextFormat::Any => json!({ "type": "text" }),
        TextFormat::Grammar { syntax, definition } => {
            json!({ "type": "grammar", "syntax": syntax.as_str(), "definition": definition })
        }
    };
    let mut fields = head("custom", spec);
    fields.insert("format".to_owned(), format);
    insert_callers(&mut fields, spec.allowed_callers);
    WireEntry { text: Value::Object(fields).to_string(), ..WireEntry::default() }
}

fn head(kind: &str, spec: &ToolSpec) -> Map<String, Value> {
    let fields = [("type", kind), ("name", &*spec.name), ("description", &*spec.description)];
    fields.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect()
}

fn insert_callers(fields: &mut Map<String, Value>, callers: AllowedCallers) {
    let callers = match callers {
        AllowedCallers::Direct => return,
        AllowedCallers::Programmatic => json!(["programmatic"]),
        AllowedCallers::Any => json!(["direct", "programmatic"]),
    };
    fields.insert("allowed_callers".to_owned(), callers);
}
