//! Tools as the `tools` of a request.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::model::Offer;
use crate::provider::body::separate;
use crate::provider::flat::described;
use crate::schema::StrictCost;
use crate::set::{Definitions, ToolSet};
use crate::spec::AllowedCallers;
use crate::tool::{Definition, Dialect, WireEntry, WorkerAgentTool};

use super::{CODE_EXECUTION, Settings, ToolSearch};

/// The most tools of one request that are enforced. Those beyond are sent without, in the order of the set.
pub const MAX_STRICT_TOOLS: usize = 20;
/// The most properties that may be left out, in all enforced tools of one request.
pub const MAX_STRICT_OPTIONAL: usize = 24;
/// The most values of several types, in all enforced tools of one request.
pub const MAX_STRICT_UNIONS: usize = 16;

/// The tools of a set as the provider gets them: a JSON array, in the order of the set, each under a flat name. Behind them
/// stand the entries that they need: tool search for deferred ones, code execution for those that programs may call.
#[must_use]
pub fn encode_tools(settings: &Settings, set: &ToolSet) -> String {
    tools_array(&offered(set, Offer::All), settings)
}

/// The entries of the tools that a request lists. Those of a whole set are made once and kept.
pub(super) fn offered<'a>(set: &'a ToolSet, offer: Offer<'_>) -> Cow<'a, Definitions> {
    match offer {
        Offer::All => Cow::Borrowed(set.definitions(Dialect::Anthropic, || join(set, |_| true))),
        Offer::None => Cow::Owned(Definitions::default()),
        Offer::Only(names) => Cow::Owned(join(set, |tool| names.iter().any(|name| name.is_of(tool)))),
    }
}

/// The whole array.
pub(super) fn tools_array(offered: &Definitions, settings: &Settings) -> String {
    let mut text = String::with_capacity(offered.text.len() + 100);
    text.push('[');
    text.push_str(&offered.text);
    let search = match settings.tool_search {
        ToolSearch::Bm25 => ("tool_search_tool_bm25_20251119", "tool_search_tool_bm25"),
        ToolSearch::Regex => ("tool_search_tool_regex_20251119", "tool_search_tool_regex"),
    };
    // A host may have brought its own, of whatever version.
    let brought = |prefix: &str| {
        let kinds = settings.hosted.iter().filter_map(|entry| entry.get("type")?.as_str());
        kinds.into_iter().any(|kind| kind.starts_with(prefix))
    };
    let mut entries = Vec::new();
    if offered.deferred && !brought("tool_search_tool_") {
        entries.push(json!({ "type": search.0, "name": search.1 }));
    }
    if offered.programmatic && !brought("code_execution_") {
        entries.push(json!({ "type": CODE_EXECUTION, "name": "code_execution" }));
    }
    for entry in entries.iter().chain(&settings.hosted) {
        separate(&mut text);
        text.push_str(&entry.to_string());
    }
    text.push(']');
    text
}

fn join(set: &ToolSet, wanted: impl Fn(&WorkerAgentTool) -> bool) -> Definitions {
    let mut list = Definitions::default();
    let mut room = Room::default();
    let told = set.tools().iter().enumerate().filter(|&(position, _)| set.is_told(position));
    for (position, tool) in told.filter(|(_, tool)| wanted(tool)) {
        let Some(name) = set.wire_names().name(position) else { continue };
        let (entry, dropped) = room.entry(tool.definition());
        separate(&mut list.text);
        list.count += 1;
        // The flat name depends on the other tools of the set, so it is no part of the kept entry.
        list.text.push_str(&format!(r#"{{"name":{},{}"#, Value::from(name), entry.text));
        if set.is_listed_deferred(position) {
            list.deferred = true;
            list.text.push_str(r#","defer_loading":true"#);
        }
        list.text.push('}');
        list.programmatic |= tool.spec().allowed_callers != AllowedCallers::Direct;
        if let Some(reason) = dropped {
            list.strict_dropped.push((tool.spec().display_name().into_owned(), reason));
        }
    }
    list
}

/// What the enforced tools of a request take of the room that there is for them.
#[derive(Default)]
struct Room {
    tools: usize,
    taken: StrictCost,
}

impl Room {
    /// The entry of a tool, and why it is not enforced although its author wants it.
    fn entry<'a>(&mut self, definition: &'a Definition) -> (&'a WireEntry, Option<String>) {
        let plain = || definition.wire(Dialect::Anthropic, || plain(definition));
        if !definition.spec().strict {
            return (plain(), None);
        }
        let strict = definition.wire(Dialect::AnthropicStrict, || strict(definition));
        match strict.strict_dropped.clone().or_else(|| self.lacks(strict.strict_cost)) {
            Some(reason) => (plain(), Some(reason)),
            None => {
                self.tools += 1;
                self.taken.optional += strict.strict_cost.optional;
                self.taken.unions += strict.strict_cost.unions;
                (strict, None)
            }
        }
    }

    /// Why there is no room for a tool of this cost.
    fn lacks(&self, cost: StrictCost) -> Option<String> {
        let over = |taken: usize, more: usize, most: usize, what: &str| {
            (taken + more > most).then(|| {
                format!(
                    "one request enforces at most {most} {what}, {taken} are taken, and this tool adds {more}"
                )
            })
        };
        over(self.tools, 1, MAX_STRICT_TOOLS, "tools")
            .or_else(|| {
                let what = "properties that may be left out";
                over(self.taken.optional, cost.optional, MAX_STRICT_OPTIONAL, what)
            })
            .or_else(|| over(self.taken.unions, cost.unions, MAX_STRICT_UNIONS, "values of several types"))
    }
}

/// The entry of a tool that is not enforced, without its name and the braces around.
fn plain(definition: &Definition) -> WireEntry {
    let parameters = definition.parameters();
    let schema = match definition.spec().allowed_callers {
        AllowedCallers::Direct => parameters.to_anthropic(),
        AllowedCallers::Programmatic | AllowedCallers::Any => parameters.to_anthropic_finite(),
    };
    WireEntry { text: fields(definition, &schema, false), ..WireEntry::default() }
}

/// The same for a tool that is enforced, or why it cannot be.
fn strict(definition: &Definition) -> WireEntry {
    let dropped = |reason: String| WireEntry { strict_dropped: Some(reason), ..WireEntry::default() };
    if definition.spec().allowed_callers != AllowedCallers::Direct {
        return dropped(
            "this provider does not enforce the parameters of tools that programs may call".to_owned(),
        );
    }
    match definition.parameters().to_anthropic_strict() {
        Ok(schema) => WireEntry {
            text: fields(definition, &schema, true),
            strict_cost: StrictCost::of(&schema),
            strict_dropped: None,
        },
        Err(problems) => {
            let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
            dropped(reasons.join("; "))
        }
    }
}

fn fields(definition: &Definition, schema: &Value, strict: bool) -> String {
    let spec = definition.spec();
    let mut fields = json!({ "description": described(spec), "input_schema": schema, "strict": strict });
    let callers = match spec.allowed_callers {
        AllowedCallers::Direct => None,
        AllowedCallers::Programmatic => Some(json!([CODE_EXECUTION])),
        AllowedCallers::Any => Some(json!(["direct", CODE_EXECUTION])),
    };
    if let (Value::Object(fields), Some(callers)) = (&mut fields, callers) {
        fields.insert("allowed_callers".to_owned(), callers);
    }
    let text = fields.to_string();
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inner.unwrap_or_default().to_owned()
}
