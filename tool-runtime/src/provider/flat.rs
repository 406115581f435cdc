//! Tools for providers that have neither namespaces nor free-text tools.

use std::borrow::Cow;

use serde::Deserialize;

use crate::call::{CallInput, ToolCall};
use crate::set::ToolSet;
use crate::spec::{Input, TextFormat, ToolSpec};

use super::replay::legal_name;

/// The name under which the tool of a call is listed; for a tool that the set does not have, one of the same form.
pub(super) fn wire_name<'a>(set: &'a ToolSet, namespace: Option<&str>, name: &str) -> Cow<'a, str> {
    let bare = || (namespace == Some(name)).then(|| set.position(None, name)).flatten();
    let position = set.position(namespace, name).or_else(bare);
    if let Some(name) = position.and_then(|position| set.wire_names().name(position)) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(match namespace {
        Some(namespace) => legal_name(&format!("{namespace}__{name}")),
        None => legal_name(name),
    })
}

/// A call of the tool that `wire_name` stands for. A free-text tool that was listed with parameters gets its text back.
pub(crate) fn named_call(set: &ToolSet, id: String, wire_name: &str, input: CallInput) -> ToolCall {
    let tool = set.wire_names().position(wire_name).and_then(|position| set.tools().get(position));
    let Some(tool) = tool else {
        return ToolCall { input, ..ToolCall::new(id, wire_name, "") };
    };
    let spec = tool.spec();
    let input = match (&spec.input, input) {
        (Input::Text(_), CallInput::Json(arguments)) => {
            only_input(&arguments).map_or(CallInput::Json(arguments), CallInput::Text)
        }
        (_, input) => input,
    };
    let namespace = spec.namespace.as_ref().map(|namespace| namespace.name.to_string());
    ToolCall { input, namespace, ..ToolCall::new(id, &*spec.name, "") }
}

/// The text of `{"input": text}`, if the arguments are just that; mending anything else is not done here.
fn only_input(arguments: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Wrapped {
        input: String,
    }
    let is_object = arguments.trim_start().starts_with('{');
    is_object.then(|| serde_json::from_str(arguments).ok()).flatten().map(|wrapped: Wrapped| wrapped.input)
}

/// The description of a tool. Where its grammar cannot be enforced, the model shall know it at least.
pub(crate) fn described(spec: &ToolSpec) -> Cow<'_, str> {
    match &spec.input {
        Input::Text(TextFormat::Grammar { syntax, definition }) => Cow::Owned(format!(
            "{}\n\n`input` has to match this grammar ({}):\n{definition}",
            spec.description,
            syntax.as_str()
        )),
        Input::Json | Input::Text(TextFormat::Any) => Cow::Borrowed(&*spec.description),
    }
}
