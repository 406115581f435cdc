//! Tools for language-model agents.

mod error;
mod json;

pub use error::{SchemaProblem, ToolError, ToolErrorKind};
