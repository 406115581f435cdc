//! The body of a request.

use serde_json::{Value, json};

use crate::model::{ModelError, ModelRequest, ToolChoice, ToolName};
use crate::provider::body::{Body, EncodedRequest, refuse_forced_choice, refuse_own_fields};
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

/// Writes a request. `tools` is left out when nothing is offered, and with it the choice among them.
///
/// # Errors
///
/// When the format cannot carry it: a choice that is forced to a tool that is not offered, is in a namespace or deferred; a
/// forced call with no tools; a previous response that covers more than the conversation; a field of [`Settings::extra`] that is written here.
pub fn encode_request(settings: &Settings, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
    refuse_own_fields(&settings.extra, &OWN_FIELDS)?;
    let previous = request.previous.filter(|_| settings.history == History::Stored);
    let known = previous.map_or(0, |previous| previous.known);
    let new_items = request.items.get(known..).ok_or_else(|| {
        let all = request.items.len();
        ModelError::request(format!(
            "{known} items are known to the provider, but the conversation has {all}"
        ))
    })?;
    let offered = offered(settings.client_search, request.tools, request.offer);
    let mut body = Body::default();
    body.field("model", &settings.model)?;
    body.optional("instructions", request.instructions.as_ref())?;
    body.field("input", &encode_new(Some(request.tools), request.items, new_items, settings.history))?;
    if offered.text.is_empty() && settings.hosted.is_empty() {
        refuse_forced_choice(&request.tool_choice)?;
    } else {
        body.raw("tools", &tools_array(&offered, &settings.hosted));
        body.field("tool_choice", &tool_choice(settings, request, &offered)?)?;
        body.optional("parallel_tool_calls", settings.parallel_tool_calls.as_ref())?;
    }
    body.optional("previous_response_id", previous.map(|previous| previous.id).as_ref())?;
    body.field("store", &(settings.history == History::Stored))?;
    body.optional("include", (!settings.include.is_empty()).then_some(&settings.include))?;
    body.optional("max_output_tokens", request.max_output_tokens.as_ref())?;
    body.optional("stream", settings.stream.then_some(&true))?;
    body.extra(&settings.extra)?;
    Ok(body.finish(&offered))
}

fn tool_choice(
    settings: &Settings,
    request: &ModelRequest<'_>,
    offered: &Definitions,
) -> Result<Value, ModelError> {
    match &request.tool_choice {
        ToolChoice::Auto => Ok("auto".into()),
        ToolChoice::None => Ok("none".into()),
        ToolChoice::Required => Ok("required".into()),
        ToolChoice::Tool(name) => forced_tool(settings, request, offered, name),
    }
}

fn forced_tool(
    settings: &Settings,
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
    if settings.client_search && tool.definition().search().is_some() {
        return Err(refused("cannot be forced, since it is a tool search"));
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
