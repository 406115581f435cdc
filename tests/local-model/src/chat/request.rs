//! What is asked, and whether it may be.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::constrain::{Callable, Wanted};

use super::Refusal;

/// How many tokens an answer has at most where the request does not say. A small model that has begun to repeat itself does
/// not end by itself.
const MAX_TOKENS: usize = 256;

/// The most tools that a request may have.
const MAX_TOOLS: usize = 128;

/// The model by the name under which it calls a tool first: small as it is, it prefers to talk.
pub const EAGER: &str = "smollm2-eager";

/// A request that can be answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The name that the model is called by.
    pub model: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The tools that may be called.
    pub tools: Vec<Tool>,
    /// Whether a call is wanted; `None` where none may come.
    pub wanted: Option<Wanted>,
    /// The most tokens of the answer.
    pub max_tokens: usize,
    /// Whether the answer shall come in pieces.
    pub stream: bool,
    /// Whether the last of these shall tell the tokens.
    pub include_usage: bool,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Standing instructions.
    System(String),
    /// What the user said.
    User(String),
    /// What the model said and asked for.
    Assistant {
        /// The text; empty if there is none.
        text: String,
        /// The calls, each of which is answered by one of the next messages.
        calls: Vec<Call>,
    },
    /// The result of a call.
    Tool {
        /// The tool.
        name: String,
        /// The result.
        text: String,
    },
}

/// A call of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// The arguments, as JSON.
    pub arguments: String,
}

/// A tool of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// What it is for.
    pub description: String,
    /// How it is called.
    pub callable: Callable,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    model: String,
    messages: Vec<AnyMessage>,
    tools: Option<Vec<AnyTool>>,
    #[serde(default)]
    tool_choice: Value,
    max_tokens: Option<usize>,
    max_completion_tokens: Option<usize>,
    n: Option<u64>,
    #[serde(default)]
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum AnyMessage {
    #[serde(alias = "developer")]
    System {
        content: Content,
    },
    User {
        content: Content,
    },
    Assistant {
        content: Option<Content>,
        tool_calls: Option<Vec<AnyCall>>,
    },
    Tool {
        tool_call_id: String,
        content: Content,
    },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct AnyCall {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    function: Option<CalledFunction>,
}

#[derive(Deserialize)]
struct CalledFunction {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
struct AnyTool {
    #[serde(rename = "type")]
    kind: String,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    parameters: Option<Value>,
}

/// Reads a request.
///
/// # Errors
///
/// When it is none, or the format forbids what it says; names the place.
pub fn read(body: &[u8]) -> Result<Request, Refusal> {
    let body: Body = serde_json::from_slice(body)
        .map_err(|error| wrong(format!("the body is no request for a completion: {error}")))?;
    if body.n.is_some_and(|choices| choices != 1) {
        return Err(wrong("`n` must be 1: there is one answer to a request"));
    }
    let max_tokens = body.max_completion_tokens.or(body.max_tokens).unwrap_or(MAX_TOKENS);
    if max_tokens == 0 {
        return Err(wrong("`max_tokens` must be at least 1"));
    }
    let tools = body.tools.unwrap_or_default();
    if tools.len() > MAX_TOOLS {
        return Err(wrong(format!("`tools` has {} entries and may have {MAX_TOOLS}", tools.len())));
    }
    let tools = tools.into_iter().enumerate().map(|(place, tool)| tool.read(place));
    let (tools, mut wanted) = choose(tools.collect::<Result<_, _>>()?, &body.tool_choice)?;
    let messages = conversation(body.messages)?;
    if body.model == EAGER && wanted.is_some() && matches!(messages.last(), Some(Message::User(_))) {
        wanted = Some(Wanted::Call);
    }
    Ok(Request {
        model: body.model,
        messages,
        tools,
        wanted,
        max_tokens,
        stream: body.stream.unwrap_or(false),
        include_usage: body.stream_options.is_some_and(|options| options.include_usage),
    })
}

fn wrong(message: impl Into<String>) -> Refusal {
    Refusal::request("invalid_request", message)
}

impl AnyTool {
    fn read(self, place: usize) -> Result<Tool, Refusal> {
        let Some(function) = self.function.filter(|_| self.kind == "function") else {
            return Err(wrong(format!(
                "`tools[{place}]` is no function but `{}`, and there are none but functions",
                self.kind
            )));
        };
        let is_legal = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        let name = function.name;
        if !(1..=64).contains(&name.len()) || !name.chars().all(is_legal) {
            return Err(wrong(format!(
                "`tools[{place}].function.name` is no name: 1 to 64 of `a-z A-Z 0-9 _ -`"
            )));
        }
        let parameters = function.parameters.unwrap_or_else(|| serde_json::json!({ "type": "object" }));
        if parameters["type"] != "object" {
            return Err(wrong(format!(
                "`tools[{place}].function.parameters` has no `\"type\": \"object\"` at its root"
            )));
        }
        let description = function.description.unwrap_or_default();
        Ok(Tool { description, callable: Callable { name, parameters } })
    }
}

/// The tools that may be called, and whether one has to be.
fn choose(mut tools: Vec<Tool>, choice: &Value) -> Result<(Vec<Tool>, Option<Wanted>), Refusal> {
    let mut names = HashSet::new();
    if let Some(twice) = tools.iter().find(|tool| !names.insert(tool.callable.name.as_str())) {
        return Err(wrong(format!("two tools are named `{}`", twice.callable.name)));
    }
    let wanted = match choice.as_str() {
        Some("none") => None,
        Some("auto") => Some(Wanted::Either),
        Some("required") => Some(Wanted::Call),
        None if choice.is_null() => Some(Wanted::Either),
        _ => {
            let name = choice.pointer("/function/name").filter(|_| choice["type"] == "function");
            let Some(name) = name.and_then(Value::as_str) else {
                return Err(wrong(format!(
                    "`tool_choice` is `{choice}`, and may be `auto`, `none`, `required`, or a function with its name"
                )));
            };
            tools.retain(|tool| tool.callable.name == name);
            if tools.is_empty() {
                return Err(wrong(format!("`tool_choice` names `{name}`, and there is no such tool")));
            }
            Some(Wanted::Call)
        }
    };
    match (tools.is_empty(), wanted) {
        (true, Some(Wanted::Call)) => Err(wrong("`tool_choice` wants a call, and there are no tools")),
        (true, _) | (_, None) => Ok((Vec::new(), None)),
        (false, wanted) => Ok((tools, wanted)),
    }
}

/// The messages, if each call in them has its result directly behind it.
fn conversation(messages: Vec<AnyMessage>) -> Result<Vec<Message>, Refusal> {
    if messages.is_empty() {
        return Err(wrong("`messages` is empty"));
    }
    // The calls that have no result yet, by their ids.
    let mut open: Vec<(String, String)> = Vec::new();
    let mut read = Vec::with_capacity(messages.len());
    for (place, message) in messages.into_iter().enumerate() {
        if !open.is_empty() && !matches!(message, AnyMessage::Tool { .. }) {
            return Err(unanswered(&open));
        }
        read.push(match message {
            AnyMessage::System { content } => Message::System(content.text(place)?),
            AnyMessage::User { content } => Message::User(content.text(place)?),
            AnyMessage::Assistant { content, tool_calls } => {
                let text = content.map_or(Ok(String::new()), |content| content.text(place))?;
                let calls = tool_calls.map(|calls| called(place, calls, &mut open)).transpose()?;
                let calls = calls.unwrap_or_default();
                if text.is_empty() && calls.is_empty() {
                    return Err(wrong(format!(
                        "`messages[{place}]` of the assistant has neither content nor calls"
                    )));
                }
                Message::Assistant { text, calls }
            }
            AnyMessage::Tool { tool_call_id, content } => {
                let Some(call) = open.iter().position(|(id, _)| *id == tool_call_id) else {
                    return Err(wrong(format!(
                        "`messages[{place}]` is the result of `{tool_call_id}`, and no call of this id waits for one"
                    )));
                };
                Message::Tool { name: open.remove(call).1, text: content.text(place)? }
            }
        });
    }
    if open.is_empty() { Ok(read) } else { Err(unanswered(&open)) }
}

fn unanswered(open: &[(String, String)]) -> Refusal {
    let ids: Vec<String> = open.iter().map(|(id, _)| format!("`{id}`")).collect();
    wrong(format!("calls have no message of the role `tool` directly behind them: {}", ids.join(", ")))
}

fn called(place: usize, calls: Vec<AnyCall>, open: &mut Vec<(String, String)>) -> Result<Vec<Call>, Refusal> {
    if calls.is_empty() {
        return Err(wrong(format!("`messages[{place}].tool_calls` is empty")));
    }
    let mut read = Vec::with_capacity(calls.len());
    for call in calls {
        let Some(CalledFunction { name, arguments }) = call.function.filter(|_| call.kind == "function")
        else {
            return Err(wrong(format!("`messages[{place}].tool_calls` has a `{}`", call.kind)));
        };
        if call.id.is_empty() || call.id.len() > 40 || open.iter().any(|(id, _)| *id == call.id) {
            return Err(wrong(format!(
                "`messages[{place}].tool_calls` has an id that is empty, longer than 40, or not the only one: `{}`",
                call.id
            )));
        }
        if serde_json::from_str::<Map<String, Value>>(&arguments).is_err() {
            return Err(wrong(format!("the arguments of the call `{}` are no JSON object", call.id)));
        }
        open.push((call.id, name.clone()));
        read.push(Call { name, arguments });
    }
    Ok(read)
}

impl Content {
    fn text(self, place: usize) -> Result<String, Refusal> {
        let text = match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                if let Some(part) = parts.iter().find(|part| part.kind != "text") {
                    return Err(wrong(format!(
                        "`messages[{place}]` has a `{}`, and the model reads text only",
                        part.kind
                    )));
                }
                parts.into_iter().map(|part| part.text).collect()
            }
        };
        Ok(text)
    }
}
