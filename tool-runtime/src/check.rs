//! Compiled checks.

use serde_json::Value;

use crate::error::SchemaProblem;

/// A schema compiled once.
#[derive(Debug, Default)]
pub(crate) struct Checks;

impl Checks {
    pub(crate) fn compile(_schema: &Value) -> Result<Self, Vec<SchemaProblem>> {
        Ok(Self)
    }
}
