//! Why something could not be done with a workflow.

use std::error::Error;
use std::fmt;

use crate::state::StateError;

/// Why something could not be done with a workflow.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkflowError {
    /// The agent has no such run.
    Unknown {
        /// The number that was asked for.
        id: i64,
    },
    /// It cannot be done with the run or the task as it is; the sentence says why and what to do.
    Refused(String),
    /// The state database failed.
    State(StateError),
}

impl WorkflowError {
    pub(crate) fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }
}

impl From<StateError> for WorkflowError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl fmt::Display for WorkflowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { id } => {
                write!(f, "there is no workflow {id}; `list_workflows` lists those there are")
            }
            Self::Refused(sentence) => f.write_str(sentence),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl Error for WorkflowError {}
