//! The body of a request.

use serde_json::{Value, json};

use crate::model::{ModelError, ModelRequest, Offer, ToolChoice, ToolName};
use crate::provider::body::{Body, EncodedRequest, refuse_forced_choice, refuse_own_fields};
use crate::set::Definitions;
use crate::spec::AllowedCallers;

use super::Settings;
use super::messages::{encode_messages, waiting_container};
use super::tools::{offered, tools_array};

/// The fields of a request that this module writes.
const OWN_FIELDS: [&str; 7] = ["model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream"];

/// Writes a request. `tools` is left out when there are none, and with it the choice among them.
///
/// # Errors
///
/// When the format cannot carry it: a choice that is forced to a tool that is not offered, is deferred, or may be called by
/// programs only; a forced call with no tools; calls one at a time while programs may call tools; an empty conversation; a
/// field of [`Settings::extra`] that is written here.
pub fn encode_request(settings: &Settings, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
    refuse_own_fields(&settings.extra, &OWN_FIELDS)?;
    let messages = encode_messages(request.tools, request.items);
    if messages == "[]" {
        return Err(ModelError::request("the conversation is empty: begin it with a message of the user"));
    }
    // A conversation that holds calls has to come with tools, and the same ones keep the provider's cache; so a round
    // without tools lists them and forbids calls, unless the provider's own stay on offer.
    let is_silent = request.offer == Offer::None && settings.hosted.is_empty();
    let listed = offered(request.tools, if is_silent { Offer::All } else { request.offer });
    let mut body = Body::default();
    body.field("model", &settings.model)?;
    body.field("max_tokens", &request.max_output_tokens.unwrap_or(settings.max_tokens))?;
    body.optional("system", request.instructions.as_ref())?;
    body.raw("messages", &messages);
    let is_empty = listed.text.is_empty() && settings.hosted.is_empty();
    if is_silent || is_empty {
        refuse_forced_choice(&request.tool_choice)?;
    }
    if !is_empty {
        body.raw("tools", &tools_array(&listed, settings));
        let silence = || Ok(json!({ "type": "none" }));
        let choice = if is_silent { silence() } else { tool_choice(settings, request, &listed) };
        body.field("tool_choice", &choice?)?;
    }
    if !settings.extra.contains_key("container") {
        body.optional("container", waiting_container(request.items).as_ref())?;
    }
    body.optional("stream", settings.stream.then_some(&true))?;
    body.extra(&settings.extra)?;
    Ok(body.finish(&listed))
}

fn tool_choice(
    settings: &Settings,
    request: &ModelRequest<'_>,
    listed: &Definitions,
) -> Result<Value, ModelError> {
    let one_at_a_time = settings.parallel_tool_calls == Some(false);
    let mut choice = match &request.tool_choice {
        ToolChoice::None => return Ok(json!({ "type": "none" })),
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Tool(name) => json!({ "type": "tool", "name": forced_tool(request, name)? }),
    };
    if one_at_a_time && listed.programmatic {
        return Err(ModelError::request(
            "calls one at a time cannot be asked for while programs may call tools: leave `parallel_tool_calls` \
             unset, or offer only tools that are called directly",
        ));
    }
    if let (Value::Object(choice), true) = (&mut choice, one_at_a_time) {
        choice.insert("disable_parallel_tool_use".to_owned(), true.into());
    }
    Ok(choice)
}

/// The flat name of the tool that has to be called.
fn forced_tool<'a>(request: &ModelRequest<'a>, name: &ToolName) -> Result<&'a str, ModelError> {
    let refused = |why: &str| {
        let name = name.display_name();
        ModelError::request(format!("the tool `{name}` cannot be forced: {why}"))
    };
    let set = request.tools;
    let position = set.position(name.namespace.as_deref(), &name.name);
    let tool = position.and_then(|at| set.tools().get(at));
    let (Some(position), Some(tool)) = (position, tool) else {
        return Err(refused("the set has none of this name"));
    };
    if !request.offer.includes(name) {
        return Err(refused("the request does not offer it"));
    }
    if set.is_listed_deferred(position) {
        return Err(refused("it is deferred, so load it first"));
    }
    if tool.spec().allowed_callers == AllowedCallers::Programmatic {
        return Err(refused("only a program may call it"));
    }
    set.wire_names().name(position).ok_or_else(|| refused("it has no name"))
}
