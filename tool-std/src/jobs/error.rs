//! Why something could not be done with a job.

use std::error::Error;
use std::fmt;

use crate::state::StateError;

/// Why something could not be done with a job.
#[derive(Debug)]
#[non_exhaustive]
pub enum JobError {
    /// The agent has no such job.
    Unknown {
        /// The number that was asked for.
        id: i64,
    },
    /// It cannot be done with the job as it is; the sentence says why and what to do.
    Refused(String),
    /// The state database failed.
    State(StateError),
}

impl JobError {
    pub(crate) fn unknown(id: i64) -> Self {
        Self::Unknown { id }
    }

    pub(crate) fn refused(sentence: impl Into<String>) -> Self {
        Self::Refused(sentence.into())
    }
}

impl From<StateError> for JobError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { id } => {
                write!(f, "there is no background job {id}; `list_background_jobs` lists those there are")
            }
            Self::Refused(sentence) => f.write_str(sentence),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl Error for JobError {}
