//! The forms in which tools are described to providers.

use clap::ValueEnum;
use serde_json::Value;
use tool_runtime::provider::{anthropic, chat, gemini, responses};
use tool_runtime::{Input, ToolProblem, ToolSet, WorkerAgentTool, mcp};

use crate::failure::Failure;

/// A form in which tools are described.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// OpenAI Responses
    Responses,
    /// OpenAI Chat Completions, and servers that speak it
    Chat,
    /// Anthropic Messages
    Anthropic,
    /// Google Gemini
    Gemini,
    /// Model Context Protocol, `tools/list`
    Mcp,
}

impl Format {
    /// The name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Responses => "OpenAI Responses",
            Self::Chat => "OpenAI Chat Completions",
            Self::Anthropic => "Anthropic Messages",
            Self::Gemini => "Google Gemini",
            Self::Mcp => "Model Context Protocol",
        }
    }

    /// The list of tools as a request of this form holds it.
    pub(crate) fn tools(self, set: &ToolSet) -> Value {
        // No model is asked, so none has to be named.
        let text = match self {
            Self::Responses => responses::encode_tools(set),
            Self::Chat => chat::encode_tools(&chat::Settings::new(""), set),
            Self::Anthropic => anthropic::encode_tools(&anthropic::Settings::new(""), set),
            Self::Gemini => gemini::encode_tools(&gemini::Settings::new(""), set),
            Self::Mcp => return mcp::definitions(set).into(),
        };
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// How one tool is described, apart from the list around it.
    pub(crate) fn entry(self, tool: &WorkerAgentTool) -> Result<Entry, Failure> {
        let mut set = ToolSet::new(vec![tool.clone()]).map_err(|error| error.to_string())?;
        let spec = tool.spec();
        set.load(spec.namespace.as_ref().map(|namespace| &*namespace.name), &spec.name);
        let mut entry = self.tools(&set).get_mut(0).map(Value::take).unwrap_or_default();
        let inner = match self {
            Self::Responses if entry.get("type").is_some_and(|kind| kind == "namespace") => "tools",
            Self::Gemini => "functionDeclarations",
            _ => return Ok(Entry { format: self, value: entry }),
        };
        let value = entry.get_mut(inner).and_then(|list| list.get_mut(0)).map(Value::take);
        Ok(Entry { format: self, value: value.unwrap_or_default() })
    }
}

/// How one provider is told of a tool.
pub(crate) struct Entry {
    format: Format,
    pub(crate) value: Value,
}

impl Entry {
    /// What the model calls.
    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    pub(crate) fn description(&self) -> &str {
        self.text("description")
    }

    /// The parameters; none for free text, and where a provider wants none named.
    pub(crate) fn parameters(&self) -> Option<&Value> {
        self.body().get(match self.format {
            Format::Responses | Format::Chat => "parameters",
            Format::Anthropic => "input_schema",
            Format::Gemini => "parametersJsonSchema",
            Format::Mcp => "inputSchema",
        })
    }

    /// What the tool is to the provider.
    pub(crate) fn kind(&self) -> &str {
        match self.value.get("type").and_then(Value::as_str) {
            Some("custom") if self.format != Format::Anthropic => "custom",
            _ if self.format == Format::Mcp => "tool",
            _ => "function",
        }
    }

    /// Whether the provider is asked to enforce the parameters of this tool.
    pub(crate) fn is_strict(&self) -> bool {
        self.body().get("strict") == Some(&Value::Bool(true))
    }

    fn text(&self, key: &str) -> &str {
        self.body().get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// In Chat Completions what there is to say stands under the kind of tool.
    fn body(&self) -> &Value {
        let kind = self.value.get("type").and_then(Value::as_str);
        let inner = kind.filter(|_| self.format == Format::Chat).and_then(|kind| self.value.get(kind));
        inner.unwrap_or(&self.value)
    }
}

/// The same tool, with a provider asked to enforce its parameters. It is for looking at only: its work does nothing. Free
/// text has no parameters to enforce and stays as it is.
///
/// # Errors
///
/// Why no provider could enforce them.
pub(crate) fn enforced(tool: &WorkerAgentTool) -> Result<WorkerAgentTool, String> {
    if tool.spec().input != Input::Json {
        return Ok(tool.clone());
    }
    let parameters = tool.definition().parameters().as_value().clone();
    let strict = tool.spec().clone().strict(true).schema::<Value>(parameters).execute(|_, _| async {});
    let reason =
        |problems: Vec<ToolProblem>| problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>();
    ToolSet::new(vec![strict.clone()]).map_err(|error| reason(error.problems).join("; "))?;
    Ok(strict)
}
