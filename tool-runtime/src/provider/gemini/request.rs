//! The body of a request.

use serde_json::{Value, json};

use crate::model::{ModelError, ModelRequest, Offer, ToolChoice, ToolName};
use crate::provider::body::{Body, EncodedRequest, refuse_forced_choice, refuse_own_fields};
use crate::set::ToolSet;

use super::Settings;
use super::contents::encode_contents;
use super::tools::{is_listed, offered, tools_array};

/// The fields of a request that this module writes.
const OWN_FIELDS: [&str; 5] = ["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"];

/// Writes a request. Where a round offers some tools only, all are listed and calls are held to those, if one is forced; the
/// others are left out if none is.
///
/// # Errors
///
/// When the format cannot carry it: a choice that is forced to a tool that is not listed; a forced call with no tools; an
/// empty conversation; a field of [`Settings::extra`] or [`Settings::generation`] that is written here.
pub fn encode_request(settings: &Settings, request: &ModelRequest<'_>) -> Result<EncodedRequest, ModelError> {
    refuse_own_fields(&settings.extra, &OWN_FIELDS)?;
    if request.max_output_tokens.is_some() {
        refuse_own_fields(&settings.generation, &["maxOutputTokens"])?;
    }
    let contents = encode_contents(settings, request.tools, request.items);
    if contents == "[]" {
        return Err(ModelError::request("the conversation is empty: begin it with a message of the user"));
    }
    let choice = Choice::of(request)?;
    let listed = offered(settings.schemas, request.tools, choice.list);
    let mut body = Body::default();
    let instructions = request.instructions.map(|text| json!({ "parts": [{ "text": text }] }));
    body.optional("systemInstruction", instructions.as_ref())?;
    body.raw("contents", &contents);
    if listed.text.is_empty() {
        refuse_forced_choice(&request.tool_choice)?;
    }
    if !listed.text.is_empty() || !settings.hosted.is_empty() {
        body.raw("tools", &tools_array(&listed, &settings.hosted));
    }
    if !listed.text.is_empty() {
        body.field("toolConfig", &json!({ "functionCallingConfig": choice.config }))?;
    }
    let mut generation = settings.generation.clone();
    generation.extend(request.max_output_tokens.map(|most| ("maxOutputTokens".to_owned(), most.into())));
    body.optional("generationConfig", (!generation.is_empty()).then_some(&generation))?;
    body.extra(&settings.extra)?;
    Ok(body.finish(&listed))
}

/// The tools that are listed, and what is said about calling them.
struct Choice<'a> {
    list: Offer<'a>,
    config: Value,
}

impl<'a> Choice<'a> {
    fn of(request: &'a ModelRequest<'_>) -> Result<Self, ModelError> {
        let set = request.tools;
        let config = match (&request.tool_choice, request.offer) {
            (ToolChoice::Tool(name), _) => {
                return Ok(Self { list: Offer::All, config: any_of(vec![forced_tool(request, name)?]) });
            }
            (choice, Offer::None) => {
                refuse_forced_choice(choice)?;
                // The list stays, since its beginning is what the provider caches.
                return Ok(Self { list: Offer::All, config: json!({ "mode": "NONE" }) });
            }
            (ToolChoice::None, _) => json!({ "mode": "NONE" }),
            (ToolChoice::Required, Offer::Only(names)) => {
                let allowed = allowed(set, names);
                if allowed.is_empty() {
                    refuse_forced_choice(&request.tool_choice)?;
                }
                return Ok(Self { list: Offer::All, config: any_of(allowed) });
            }
            (ToolChoice::Required, Offer::All) => json!({ "mode": "ANY" }),
            (ToolChoice::Auto, offer) => {
                json!({ "mode": if is_strict(set, offer) { "VALIDATED" } else { "AUTO" } })
            }
        };
        Ok(Self { list: request.offer, config })
    }
}

fn any_of(names: Vec<&str>) -> Value {
    json!({ "mode": "ANY", "allowedFunctionNames": names })
}

/// Whether an offered tool is to be enforced.
fn is_strict(set: &ToolSet, offer: Offer<'_>) -> bool {
    let is_offered = |tool: &crate::tool::WorkerAgentTool| match offer {
        Offer::All => true,
        Offer::None => false,
        Offer::Only(names) => names.iter().any(|name| name.is_of(tool)),
    };
    let tools = set.tools().iter().enumerate();
    tools
        .filter(|&(position, _)| is_listed(set, position))
        .any(|(_, tool)| tool.spec().strict && is_offered(tool))
}

/// The flat names of the listed tools among `names`, in the order of the set.
fn allowed<'a>(set: &'a ToolSet, names: &[ToolName]) -> Vec<&'a str> {
    let offered =
        set.tools().iter().enumerate().filter(|(_, tool)| names.iter().any(|name| name.is_of(tool)));
    offered
        .filter(|&(position, _)| is_listed(set, position))
        .filter_map(|(position, _)| set.wire_names().name(position))
        .collect()
}

/// The flat name of the tool that has to be called.
fn forced_tool<'a>(request: &ModelRequest<'a>, name: &ToolName) -> Result<&'a str, ModelError> {
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
    if !is_listed(set, position) {
        return Err(refused("only a program may call it"));
    }
    set.wire_names().name(position).ok_or_else(|| refused("it has no name"))
}
