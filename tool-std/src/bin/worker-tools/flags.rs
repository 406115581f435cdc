//! What an author said about a tool, as rows.

use serde::Serialize;
use serde_json::Value;
use tool_runtime::{AllowedCallers, ExecutionMode, Input, ToolSpec};

/// The flags of a tool: the fields of its [`ToolSpec`] that are neither text nor schema, under their names.
#[derive(Serialize)]
pub(crate) struct Flags {
    execution_mode: &'static str,
    read_only: bool,
    destructive: bool,
    idempotent: bool,
    open_world: bool,
    strict: bool,
    input: &'static str,
    defer_loading: bool,
    allowed_callers: &'static str,
    timeout_ms: Option<u128>,
    max_output: usize,
}

impl Flags {
    pub(crate) fn of(spec: &ToolSpec) -> Self {
        Self {
            execution_mode: match spec.execution_mode {
                ExecutionMode::Parallel => "parallel",
                ExecutionMode::Sequential => "sequential",
            },
            read_only: spec.read_only,
            destructive: spec.is_destructive(),
            idempotent: spec.idempotent,
            open_world: spec.open_world,
            strict: spec.strict,
            input: match spec.input {
                Input::Json => "json",
                _ => "text",
            },
            defer_loading: spec.defer_loading,
            allowed_callers: match spec.allowed_callers {
                AllowedCallers::Direct => "direct",
                AllowedCallers::Programmatic => "programmatic",
                _ => "any",
            },
            timeout_ms: spec.timeout.map(|timeout| timeout.as_millis()),
            max_output: spec.max_output,
        }
    }

    /// Every flag with its value in words.
    pub(crate) fn rows(&self) -> Vec<(String, String)> {
        let Ok(Value::Object(fields)) = serde_json::to_value(self) else { return Vec::new() };
        let words = |value: Value| match value {
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::Null => "none".to_owned(),
            Value::String(word) => word,
            other => other.to_string(),
        };
        fields.into_iter().map(|(name, value)| (name, words(value))).collect()
    }

    /// What the tool does to the world, in one word or two.
    pub(crate) fn effect(&self) -> &'static str {
        match (self.read_only, self.destructive) {
            (true, _) => "reads",
            (false, false) => "writes",
            (false, true) => "may destroy",
        }
    }

    /// Whether it runs beside others.
    pub(crate) fn mode(&self) -> &'static str {
        self.execution_mode
    }

    /// What is not as with most tools.
    pub(crate) fn special(&self) -> String {
        let named = [
            (self.input == "text", "free text"),
            (self.strict, "strict"),
            (self.idempotent, "idempotent"),
            (!self.open_world, "closed world"),
            (self.defer_loading, "deferred"),
        ];
        let words: Vec<&str> = named.iter().filter_map(|(is_so, word)| is_so.then_some(*word)).collect();
        words.join(", ")
    }
}
