//! What all requests of a client have in common.

use serde_json::{Map, Value};

use super::MAX_TOOLS;

/// What all requests of a client have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The name of the model.
    pub model: String,
    /// What the server can do.
    pub abilities: Abilities,
    /// When the model gets its reasoning back.
    pub reasoning: Reasoning,
    /// Whether the model may ask for several calls at once; `None` leaves it to the server.
    pub parallel_tool_calls: Option<bool>,
    /// Whether the response shall come as server-sent events, to be read by a [`StreamDecoder`](super::StreamDecoder).
    pub stream: bool,
    /// Tools that the server runs itself, each as its entry in `tools`; they stand after ours.
    pub hosted: Vec<Value>,
    /// Other fields of the request, as they are: `temperature`, `reasoning_effort`, `chat_template_kwargs` …
    pub extra: Map<String, Value>,
}

impl Settings {
    /// Requests to `model` at OpenAI.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            abilities: Abilities::openai(),
            reasoning: Reasoning::Always,
            parallel_tool_calls: None,
            stream: false,
            hosted: Vec::new(),
            extra: Map::new(),
        }
    }

    /// Requests to `model` on a server that only speaks the format, with what all such servers know.
    pub fn compatible(model: impl Into<String>) -> Self {
        Self { abilities: Abilities::compatible(), ..Self::new(model) }
    }

    /// Asks for server-sent events.
    #[must_use]
    pub fn streamed(mut self) -> Self {
        self.stream = true;
        self
    }

    /// Adds a tool that the server runs itself.
    #[must_use]
    pub fn hosted(mut self, entry: Value) -> Self {
        self.hosted.push(entry);
        self
    }

    /// Adds a field to the request.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: Value) -> Self {
        self.extra.insert(name.into(), value);
        self
    }
}

/// What a server can do beyond the common part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abilities {
    /// It has free-text ("custom") tools. Without, such a tool is a function of `{"input": string}`.
    pub custom_tools: bool,
    /// A choice may name the tool that is forced. Without, only that tool is listed and some call is required.
    pub named_choice: bool,
    /// A choice may name the tools that are offered (`allowed_tools`), so that the list stays whole and what the provider
    /// has cached of it is of use. Without, only the offered tools are listed.
    pub allowed_tools: bool,
    /// The limit of tokens is called `max_completion_tokens`. Without, `max_tokens`.
    pub max_completion_tokens: bool,
    /// The model can see pictures. Without, they are named in the text.
    pub images: bool,
    /// The model can read files. Without, they are named in the text.
    pub files: bool,
    /// The most tools that a request may hold.
    pub max_tools: usize,
}

impl Abilities {
    /// Those of OpenAI. `allowed_tools` is off: older models there do not know it.
    #[must_use]
    pub fn openai() -> Self {
        Self {
            custom_tools: true,
            named_choice: true,
            allowed_tools: false,
            max_completion_tokens: true,
            images: true,
            files: true,
            max_tools: MAX_TOOLS,
        }
    }

    /// Those of any server that speaks the format. Pictures are sent; switch them off for a model that cannot see.
    #[must_use]
    pub fn compatible() -> Self {
        Self {
            custom_tools: false,
            named_choice: false,
            max_completion_tokens: false,
            files: false,
            ..Self::openai()
        }
    }
}

/// When a model gets its reasoning back. Only what the server gave in fields of its own counts, and it goes back in the
/// same fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reasoning {
    /// Always.
    #[default]
    Always,
    /// With what came after the last message of the user.
    SinceUser,
    /// Never.
    Never,
}
