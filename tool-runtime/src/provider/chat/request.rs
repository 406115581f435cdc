//! The body of a request.

use serde_json::{Value, json};

use crate::model::{ModelError, ModelRequest, Offer, ToolChoice, ToolName};
use crate::provider::body::{Body, EncodedRequest, refuse_forced_choice, refuse_own_fields};
use crate::set::{Definitions, ToolSet};

use super::messages::encode_messages;
use super::settings::Settings;
use super::tools::{is_custom, is_listed, offered, tools_array};

/// The fields of a request that this module writes.
const OWN_FIELDS: [&str; 9] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "max_completion_tokens",
    "max_tokens",
    "stream",
    "stream_options",
];

/// Writes a request. `tools` is left out when nothing is offered, and with it the choice among them.
///
/// # Errors
///
/// When the format cannot carry it: more tools than [`Abilities::max_tools`](super::Abilities::max_tools); a choice that is
/// forced to a tool that is not listed; a forced call with no tools; a field of [`Settings::extra`] that is written here.
pub fn encode_request(settings: &Settings, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
    refuse_own_fields(&settings.extra, &OWN_FIELDS)?;
    let abilities = &settings.abilities;
    let choice = Choice::of(settings, request)?;
    let listed = offered(abilities, request.tools, choice.list);
    refuse_too_many(&listed, settings)?;

    let mut body = Body::default();
    body.field("model", &settings.model)?;
    body.field("messages", &encode_messages(settings, request.tools, request.instructions, request.items))?;
    if listed.text.is_empty() && settings.hosted.is_empty() {
        refuse_forced_choice(&request.tool_choice)?;
    } else {
        body.raw("tools", &tools_array(&listed, &settings.hosted));
        body.field("tool_choice", &choice.value)?;
        body.optional("parallel_tool_calls", settings.parallel_tool_calls.as_ref())?;
    }
    let limit = if abilities.max_completion_tokens { "max_completion_tokens" } else { "max_tokens" };
    body.optional(limit, request.max_output_tokens.as_ref())?;
    if settings.stream {
        body.field("stream", &true)?;
        body.field("stream_options", &json!({ "include_usage": true }))?;
    }
    body.extra(&settings.extra)?;
    Ok(body.finish(&listed))
}

fn refuse_too_many(listed: &Definitions, settings: &Settings) -> Result<(), ModelError> {
    let (count, max) = (listed.count + settings.hosted.len(), settings.abilities.max_tools);
    if count <= max {
        return Ok(());
    }
    Err(ModelError::request(format!(
        "the request lists {count} tools and at most {max} are taken: offer fewer, or make some of them `defer_loading`"
    )))
}

/// The tools that are listed, and the choice among them.
struct Choice<'a> {
    list: Offer<'a>,
    value: Value,
}

impl<'a> Choice<'a> {
    fn of(settings: &Settings, request: &'a ModelRequest<'_>) -> Result<Self, ModelError> {
        if let ToolChoice::Tool(name) = &request.tool_choice {
            return Self::forced(settings, request, name);
        }
        let mode = match &request.tool_choice {
            ToolChoice::None => "none",
            ToolChoice::Required => "required",
            ToolChoice::Auto | ToolChoice::Tool(_) => "auto",
        };
        // How to name the server's own tools in a choice is not known, and they are offered always.
        let keeps_list = settings.abilities.allowed_tools && settings.hosted.is_empty();
        match request.offer {
            Offer::None if keeps_list => {
                refuse_forced_choice(&request.tool_choice)?;
                Ok(Self { list: Offer::All, value: "none".into() })
            }
            Offer::Only(names) if keeps_list && mode != "none" => {
                let allowed = allowed_tools(settings, request.tools, names);
                if allowed.is_empty() {
                    refuse_forced_choice(&request.tool_choice)?;
                    return Ok(Self { list: Offer::All, value: "none".into() });
                }
                let value = json!({
                    "type": "allowed_tools",
                    "allowed_tools": { "mode": mode, "tools": allowed },
                });
                Ok(Self { list: Offer::All, value })
            }
            offer => Ok(Self { list: offer, value: mode.into() }),
        }
    }

    fn forced(
        settings: &Settings,
        request: &'a ModelRequest<'_>,
        name: &'a ToolName,
    ) -> Result<Self, ModelError> {
        let refused = |why: &str| {
            let name = name.display_name();
            ModelError::request(format!("the tool `{name}` cannot be forced: {why}"))
        };
        let set = request.tools;
        let Some(position) = set.position(name.namespace.as_deref(), &name.name) else {
            return Err(refused("the set has none of this name"));
        };
        if !request.offer.includes(name) {
            return Err(refused("the request does not offer it"));
        }
        if !set.is_loaded(position) {
            return Err(refused("it is deferred, so load it first"));
        }
        let Some(value) = named(settings, set, position) else {
            return Err(refused("only a program may call it"));
        };
        if settings.abilities.named_choice {
            let list = if settings.abilities.allowed_tools { Offer::All } else { request.offer };
            return Ok(Self { list, value });
        }
        Ok(Self { list: Offer::Only(std::slice::from_ref(name)), value: "required".into() })
    }
}

fn allowed_tools(settings: &Settings, set: &ToolSet, names: &[ToolName]) -> Vec<Value> {
    let offered =
        set.tools().iter().enumerate().filter(|(_, tool)| names.iter().any(|name| name.is_of(tool)));
    offered.filter_map(|(position, _)| named(settings, set, position)).collect()
}

/// A tool as choices name it; `None` if it is not listed.
fn named(settings: &Settings, set: &ToolSet, position: usize) -> Option<Value> {
    let tool = set.tools().get(position).filter(|_| is_listed(set, position))?;
    let kind = if is_custom(&settings.abilities, tool.spec()) { "custom" } else { "function" };
    let name = set.wire_names().name(position)?;
    Some(json!({ "type": kind, (kind): { "name": name } }))
}
