//! JSON Schema of parameters and results.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::error::SchemaProblem;

/// Parameters of a tool as JSON Schema: the root is always an object.
#[derive(Clone, Debug)]
pub struct ParametersSchema {
    value: Value,
}

impl ParametersSchema {
    /// From a type.
    ///
    /// # Errors
    ///
    /// When the root is no object.
    pub fn of<P: JsonSchema + ?Sized>() -> Result<Self, Vec<SchemaProblem>> {
        let mut settings = SchemaSettings::draft2020_12();
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        Self::from_json(settings.into_generator().into_root_schema_for::<P>().to_value())
    }

    /// No parameters.
    #[must_use]
    pub fn none() -> Self {
        Self {
            value: json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false}),
        }
    }

    /// Raw.
    ///
    /// # Errors
    ///
    /// When the root is no object.
    pub fn from_json(value: Value) -> Result<Self, Vec<SchemaProblem>> {
        if value.get("type") != Some(&json!("object")) {
            return Err(vec![SchemaProblem::new("", "the root must be an object")]);
        }
        Ok(Self { value })
    }

    /// Raw, from text.
    ///
    /// # Errors
    ///
    /// When it is no JSON or the root is no object.
    pub fn from_text(json: &str) -> Result<Self, Vec<SchemaProblem>> {
        let value =
            serde_json::from_str(json).map_err(|error| vec![SchemaProblem::new("", error.to_string())])?;
        Self::from_json(value)
    }

    /// `{"input": string}`.
    #[must_use]
    pub fn text_input(description: &str) -> Self {
        Self {
            value: json!({
                "type": "object",
                "properties": {"input": {"type": "string", "description": description}},
                "required": ["input"],
                "additionalProperties": false
            }),
        }
    }

    /// The schema.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.value
    }

    /// For a provider.
    #[must_use]
    pub fn to_wire(&self) -> Value {
        self.value.clone()
    }

    /// For OpenAI, strict.
    ///
    /// # Errors
    ///
    /// When it cannot be strict.
    pub fn to_strict(&self) -> Result<Value, Vec<SchemaProblem>> {
        Ok(self.value.clone())
    }
}

/// Schema of a result.
#[must_use]
pub fn output_schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}
