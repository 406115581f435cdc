//! What is wrong with a list of tools.

use std::error::Error;
use std::fmt;

use crate::tool::WorkerAgentTool;

/// One problem of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolProblem {
    /// The tool, as `namespace.name` or its bare name.
    pub tool: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl ToolProblem {
    pub(super) fn of(tool: &WorkerAgentTool, message: String) -> Self {
        Self { tool: tool.spec().display_name().into_owned(), message }
    }
}

/// Why a list of tools is no set: all problems at once.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolSetError {
    /// The problems, in the order of the list.
    pub problems: Vec<ToolProblem>,
}

impl fmt::Display for ToolSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tools cannot be used:")?;
        for problem in &self.problems {
            write!(f, "\n- `{}`: {}", problem.tool, problem.message)?;
        }
        Ok(())
    }
}

impl Error for ToolSetError {}
