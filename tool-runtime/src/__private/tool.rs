//! The tool itself, and the part of it that is made once for the process.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::error::SchemaProblem;
use crate::schema::ParametersSchema;
use crate::spec::{Input, ToolSpec};
use crate::tool::{Definition, WorkerAgentTool};

use super::call::{Call, Parameters};

/// Holds the definition of an attributed tool.
pub struct DefinitionCell(OnceLock<Arc<Definition>>);

impl DefinitionCell {
    /// An empty cell.
    #[expect(clippy::new_without_default, reason = "the macros write it into statics")]
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    fn get(&self, make: impl FnOnce() -> Definition) -> Arc<Definition> {
        Arc::clone(self.0.get_or_init(|| Arc::new(make())))
    }
}

/// What the attribute says.
pub struct Spec {
    spec: ToolSpec,
    schema: Option<Result<ParametersSchema, Vec<SchemaProblem>>>,
}

impl Spec {
    /// Parameters come from a type, or there are none.
    #[must_use]
    pub fn new(spec: ToolSpec) -> Self {
        Self { spec, schema: None }
    }

    /// Parameters are a raw schema.
    #[must_use]
    pub fn with_schema(spec: ToolSpec, schema: Result<ParametersSchema, Vec<SchemaProblem>>) -> Self {
        Self { spec, schema: Some(schema) }
    }
}

/// The value of the key `schema`, read.
pub fn raw_schema(schema: impl RawSchema) -> Result<ParametersSchema, Vec<SchemaProblem>> {
    schema.into_schema()
}

/// The value of the key `schema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the `schema` of a tool",
    label = "not a JSON Schema",
    note = "give JSON text (a literal, a constant, `include_str!(…)`) or a `serde_json::Value`"
)]
pub trait RawSchema {
    fn into_schema(self) -> Result<ParametersSchema, Vec<SchemaProblem>>;
}

impl RawSchema for &str {
    fn into_schema(self) -> Result<ParametersSchema, Vec<SchemaProblem>> {
        ParametersSchema::from_text(self)
    }
}

impl RawSchema for String {
    fn into_schema(self) -> Result<ParametersSchema, Vec<SchemaProblem>> {
        ParametersSchema::from_text(&self)
    }
}

impl RawSchema for Value {
    fn into_schema(self) -> Result<ParametersSchema, Vec<SchemaProblem>> {
        ParametersSchema::from_json(self)
    }
}

impl RawSchema for &Value {
    fn into_schema(self) -> Result<ParametersSchema, Vec<SchemaProblem>> {
        ParametersSchema::from_json(self.clone())
    }
}

/// A text of the attribute that is no literal.
///
/// # Panics
///
/// When it is blank; the compiler evaluates it, so this is a compile error.
#[must_use]
pub const fn constant_text(text: &'static str) -> &'static str {
    assert!(!text.trim_ascii().is_empty(), "this text is blank, and a model or a person has to read it");
    text
}

/// The tool: a handle on its definition, and what prepares a call.
pub fn tool(definition: &'static DefinitionCell, spec: fn() -> Spec, call: Call) -> WorkerAgentTool {
    let definition = definition.get(|| define(spec(), call.parameters, call.output_schema));
    WorkerAgentTool::from_parts(definition, call.prepare)
}

fn define(spec: Spec, parameters: Parameters, output_schema: fn() -> Option<Value>) -> Definition {
    let Spec { mut spec, schema } = spec;
    spec.output_schema = output_schema();
    let parameters = match (parameters, schema) {
        (_, Some(schema)) => schema,
        (Parameters::Type(of), None) => of(),
        (Parameters::None | Parameters::Spec, None) => Ok(match &spec.input {
            Input::Text(_) => ParametersSchema::text_input(&spec.description),
            Input::Json => ParametersSchema::none(),
        }),
    };
    Definition::new(spec, parameters)
}
