//! Tools as the `tools` of a request.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::model::Offer;
use crate::provider::body::separate;
use crate::provider::flat::described;
use crate::provider::parameters::Parameters;
use crate::set::{Definitions, ToolSet};
use crate::spec::{AllowedCallers, Input, TextFormat, ToolSpec};
use crate::tool::{Definition, Dialect, WireEntry, WorkerAgentTool};

use super::settings::{Abilities, Settings};

/// The tools of a set as the server gets them: a JSON array, in the order of the set, each under a flat name. Tools that
/// are not loaded, and those that only programs may call, are left out.
#[must_use]
pub fn encode_tools(settings: &Settings, set: &ToolSet) -> String {
    tools_array(&offered(&settings.abilities, set, Offer::All), &settings.hosted)
}

/// The entries of the tools that a request offers. Those of a whole set are made once and kept.
pub(super) fn offered<'a>(abilities: &Abilities, set: &'a ToolSet, offer: Offer<'_>) -> Cow<'a, Definitions> {
    let dialect = dialect(abilities);
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

/// Whether the tool is a "custom" one on the wire.
pub(super) fn is_custom(abilities: &Abilities, spec: &ToolSpec) -> bool {
    abilities.custom_tools && spec.input != Input::Json
}

/// The whole array.
pub(super) fn tools_array(offered: &Definitions, hosted: &[Value]) -> String {
    let mut text = String::with_capacity(offered.text.len() + 2);
    text.push('[');
    text.push_str(&offered.text);
    for entry in hosted {
        separate(&mut text);
        text.push_str(&entry.to_string());
    }
    text.push(']');
    text
}

fn dialect(abilities: &Abilities) -> Dialect {
    if abilities.custom_tools { Dialect::Chat } else { Dialect::ChatFunctions }
}

fn join(dialect: Dialect, set: &ToolSet, wanted: impl Fn(&WorkerAgentTool) -> bool) -> Definitions {
    let mut list = Definitions::default();
    let listed = set.tools().iter().enumerate().filter(|&(position, _)| is_listed(set, position));
    for (position, tool) in listed.filter(|(_, tool)| wanted(tool)) {
        let Some(name) = set.wire_names().name(position) else { continue };
        let entry = tool.definition().wire(dialect, || entry(dialect, tool.definition()));
        separate(&mut list.text);
        // The flat name depends on the other tools of the set, so it is no part of the kept entry.
        list.text.push_str(&entry.text.replacen(NAME_SLOT, &Value::from(name).to_string(), 1));
        list.count += 1;
        if let Some(reason) = &entry.strict_dropped {
            list.strict_dropped.push((tool.spec().display_name().into_owned(), reason.clone()));
        }
    }
    list
}

/// Stands in a kept entry where the name goes. No other JSON holds such a text: inside a string, this byte is escaped.
const NAME_SLOT: &str = "\"\u{0}\"";

/// The tool's own entry, without what depends on the turn.
fn entry(dialect: Dialect, definition: &Definition) -> WireEntry {
    match &definition.spec().input {
        Input::Text(format) if dialect == Dialect::Chat => custom(definition.spec(), format),
        Input::Text(_) | Input::Json => function(definition),
    }
}

fn function(definition: &Definition) -> WireEntry {
    let description = described(definition.spec());
    let Parameters { schema, strict, strict_dropped } = Parameters::of(definition);
    let fields = [("description", description.into()), ("parameters", schema), ("strict", strict.into())];
    WireEntry { text: nested("function", fields), strict_dropped, ..WireEntry::default() }
}

fn custom(spec: &ToolSpec, format: &TextFormat) -> WireEntry {
    let format = match format {
        TextFormat::Any => json!({ "type": "text" }),
        TextFormat::Grammar { syntax, definition } => json!({
            "type": "grammar",
            "grammar": { "syntax": syntax.as_str(), "definition": definition },
        }),
    };
    let fields = [("description", Value::from(&*spec.description)), ("format", format)];
    WireEntry { text: nested("custom", fields), ..WireEntry::default() }
}

/// What kind of tool it is, and under that word what there is to know of it. The name is still to be filled in.
fn nested<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> String {
    let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
    let fields = Value::Object(fields.collect::<Map<_, _>>()).to_string();
    let fields = fields.strip_prefix('{').unwrap_or(&fields);
    format!(r#"{{"type":"{kind}","{kind}":{{"name":{NAME_SLOT},{fields}}}"#)
}
