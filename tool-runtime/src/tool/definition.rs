//! The part of a tool that is made once for the process: parameters, checks, and the texts that providers get.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::check::Checks;
use crate::error::SchemaProblem;
use crate::schema::{ParametersSchema, StrictCost};
use crate::spec::ToolSpec;

use super::faults;

/// The wire formats that a tool is described in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    /// OpenAI Responses.
    Responses,
    /// The same, with a search by us that stands in the conversation.
    ResponsesSearch,
    /// OpenAI Chat Completions.
    Chat,
    /// The same, for servers that know functions only.
    ChatFunctions,
    /// Anthropic Messages.
    Anthropic,
    /// The same, with parameters that are enforced.
    AnthropicStrict,
    /// Gemini, with parameters in JSON Schema.
    Gemini,
    /// The same, with parameters as in OpenAPI.
    GeminiOpenApi,
}

const DIALECTS: usize = 8;

/// One value for each wire format, made by the first who asks.
#[derive(Debug)]
pub(crate) struct PerDialect<T>([OnceLock<T>; DIALECTS]);

impl<T> Default for PerDialect<T> {
    fn default() -> Self {
        Self([const { OnceLock::new() }; DIALECTS])
    }
}

impl<T> PerDialect<T> {
    pub(crate) fn get_or_init(&self, dialect: Dialect, make: impl FnOnce() -> T) -> &T {
        let [
            responses,
            responses_search,
            chat,
            chat_functions,
            anthropic,
            anthropic_strict,
            gemini,
            gemini_open_api,
        ] = &self.0;
        let cell = match dialect {
            Dialect::Responses => responses,
            Dialect::ResponsesSearch => responses_search,
            Dialect::Chat => chat,
            Dialect::ChatFunctions => chat_functions,
            Dialect::Anthropic => anthropic,
            Dialect::AnthropicStrict => anthropic_strict,
            Dialect::Gemini => gemini,
            Dialect::GeminiOpenApi => gemini_open_api,
        };
        cell.get_or_init(make)
    }
}

/// A tool's entry in one provider's list.
#[derive(Debug, Default)]
pub(crate) struct WireEntry {
    /// The entry as JSON.
    pub(crate) text: String,
    /// Why the provider is not asked to enforce the parameters although the author wants it.
    pub(crate) strict_dropped: Option<String>,
    /// What the enforced parameters take of a request's room, where that is limited.
    pub(crate) strict_cost: StrictCost,
}

/// A tool's spec and parameters, and what is made of them once and then kept.
#[derive(Debug)]
pub struct Definition {
    spec: ToolSpec,
    parameters: ParametersSchema,
    checks: Checks,
    faults: Vec<String>,
    search: Option<Arc<dyn Search>>,
    wire: PerDialect<WireEntry>,
}

/// What a tool that looks for deferred tools can find.
pub(crate) trait Search: fmt::Debug + Send + Sync {
    /// Whether it can find the tool of this identity.
    fn knows(&self, namespace: Option<&str>, name: &str) -> bool;
}

impl Definition {
    /// Compiles the parameters. Faults are kept, not raised: [`ToolSet::new`](crate::ToolSet::new) lists them.
    pub(crate) fn new(spec: ToolSpec, parameters: Result<ParametersSchema, Vec<SchemaProblem>>) -> Self {
        let (parameters, problems) = match parameters {
            Ok(parameters) => (parameters, Vec::new()),
            Err(problems) => (ParametersSchema::none(), problems),
        };
        let mut problems = problems;
        let checks = Checks::compile(parameters.as_value()).unwrap_or_else(|more| {
            problems.extend(more);
            Checks::default()
        });
        let faults = faults::of(&spec, &parameters, &problems);
        Self { spec, parameters, checks, faults, search: None, wire: PerDialect::default() }
    }

    /// The same, of a tool that looks for deferred ones.
    #[cfg(feature = "search")]
    pub(crate) fn searching(mut self, search: Arc<dyn Search>) -> Self {
        self.search = Some(search);
        self
    }

    /// What the tool can find, if it looks for deferred ones.
    pub(crate) fn search(&self) -> Option<&dyn Search> {
        self.search.as_deref()
    }

    /// What the author said about the tool.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// The parameters, as the author's types or raw schema give them.
    #[must_use]
    pub fn parameters(&self) -> &ParametersSchema {
        &self.parameters
    }

    /// What is wrong with the tool, each as a sentence; empty for a good one.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The compiled parameters. Those of a tool with faults take nothing, and it is in no set.
    pub(crate) fn checks(&self) -> &Checks {
        &self.checks
    }

    /// The tool's entry in a provider's list, made by the first who asks.
    pub(crate) fn wire(&self, dialect: Dialect, make: impl FnOnce() -> WireEntry) -> &WireEntry {
        self.wire.get_or_init(dialect, make)
    }
}
