//! The body of a request.

use serde::Serialize;
use serde_json::{Value, json};

use crate::model::{ModelError, ModelRequest, StrictDropped, ToolChoice, ToolName};
use crate::set::Definitions;
use crate::spec::Input;

use super::input::encode_new;
use super::tools::{offered, tools_array};
use super::{History, Settings};

/// The fields of a request that this module writes.
const OWN_FIELDS: [&str; 11] = [
    "model",
    "instructions",
    "input",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "previous_response_id",
    "store",
    "include",
    "max_output_tokens",
    "stream",
];

/// A request, ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodedRequest {
    /// The body: one JSON object.
    pub body: String,
    /// Tools that the provider is not asked to enforce although their author wants it.
    pub strict_dropped: Vec<StrictDropped>,
}

/// Writes a request. `tools` is left out when nothing is offered, and with it the choice among them.
///
/// # Errors
///
/// When the format cannot carry it: a choice that is forced to a tool that is not offered, is in a namespace or deferred; a
/// forced call with no tools; a previous response that covers more than the conversation; a field of [`Settings::extra`] that is written here.
pub fn encode_request(settings: &Settings, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
    if let Some(field) = settings.extra.keys().find(|field| OWN_FIELDS.contains(&field.as_str())) {
        return Err(ModelError::request(format!(
            "the extra field `{field}` is written by the format itself: leave it out of the settings"
        )));
    }
    let previous = request.previous.filter(|_| settings.history == History::Stored);
    let known = previous.map_or(0, |previous| previous.known);
    let new_items = request.items.get(known..).ok_or_else(|| {
        let all = request.items.len();
        ModelError::request(format!(
            "{known} items are known to the provider, but the conversation has {all}"
        ))
    })?;
    let offered = offered(request.tools, request.offer);
    let mut body = Body::default();
    body.field("model", &settings.model)?;
    body.optional("instructions", request.instructions.as_ref())?;
    body.field("input", &encode_new(request.items, new_items, settings.history))?;
    if offered.text.is_empty() && settings.hosted.is_empty() {
        refuse_forced_choice(&request.tool_choice)?;
    } else {
        body.raw("tools", &tools_array(&offered, &settings.hosted));
        body.field("tool_choice", &tool_choice(request, &offered)?)?;
        body.optional("parallel_tool_calls", settings.parallel_tool_calls.as_ref())?;
    }
    body.optional("previous_response_id", previous.map(|previous| previous.id).as_ref())?;
    body.field("store", &(settings.history == History::Stored))?;
    body.optional("include", (!settings.include.is_empty()).then_some(&settings.include))?;
    body.optional("max_output_tokens", request.max_output_tokens.as_ref())?;
    for (name, value) in &settings.extra {
        body.field(name, value)?;
    }
    let dropped = offered.strict_dropped.iter();
    let strict_dropped = dropped.map(|(tool, reason)| StrictDropped::new(tool, reason)).collect();
    Ok(EncodedRequest { body: body.finish(), strict_dropped })
}

fn refuse_forced_choice(choice: &ToolChoice) -> Result<(), ModelError> {
    match choice {
        ToolChoice::Auto | ToolChoice::None => Ok(()),
        ToolChoice::Required | ToolChoice::Tool(_) => {
            Err(ModelError::request("a call is forced, and no tool is offered that could be called"))
        }
    }
}

fn tool_choice(request: &ModelRequest<'_>, offered: &Definitions) -> Result<Value, ModelError> {
    match &request.tool_choice {
        ToolChoice::Auto => Ok("auto".into()),
        ToolChoice::None => Ok("none".into()),
        ToolChoice::Required => Ok("required".into()),
        ToolChoice::Tool(name) => forced_tool(request, offered, name),
    }
}

fn forced_tool(
    request: &ModelRequest<'_>,
    offered: &Definitions,
    name: &ToolName,
) -> Result<Value, ModelError> {
    let refused = |why: &str| ModelError::request(format!("the tool `{}` {why}", name.display_name()));
    let position = request.tools.position(name.namespace.as_deref(), &name.name);
    let tool = position.and_then(|at| request.tools.tools().get(at));
    let (Some(position), Some(tool)) = (position, tool) else {
        return Err(refused("cannot be forced: the set has none of this name"));
    };
    if !request.offer.includes(name) || offered.text.is_empty() {
        return Err(refused("cannot be forced: the request does not offer it"));
    }
    if name.namespace.is_some() {
        return Err(refused(
            "cannot be forced, since it is in a namespace: offer only this tool and require a call",
        ));
    }
    if request.tools.is_listed_deferred(position) {
        return Err(refused("cannot be forced, since it is deferred: load it first"));
    }
    let kind = match tool.spec().input {
        Input::Json => "function",
        Input::Text(_) => "custom",
    };
    Ok(json!({ "type": kind, "name": name.name }))
}

/// A JSON object that is written field by field, so that the text of the tools is copied and not parsed again.
#[derive(Default)]
struct Body {
    text: String,
}

impl Body {
    fn field(&mut self, name: &str, value: &impl Serialize) -> Result<(), ModelError> {
        let value = serde_json::to_string(value).map_err(|error| {
            ModelError::request(format!("the field `{name}` cannot be written as JSON: {error}"))
        })?;
        self.raw(name, &value);
        Ok(())
    }

    fn optional(&mut self, name: &str, value: Option<&impl Serialize>) -> Result<(), ModelError> {
        value.map_or(Ok(()), |value| self.field(name, value))
    }

    fn raw(&mut self, name: &str, json: &str) {
        self.text.push(if self.text.is_empty() { '{' } else { ',' });
        self.text.push_str(&Value::from(name).to_string());
        self.text.push(':');
        self.text.push_str(json);
    }

    fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }
}
