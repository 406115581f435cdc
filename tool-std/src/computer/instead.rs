//! What a search gives where it cannot show anything.

use tool_runtime::{ToolError, ToolOutput};

use super::places::PathError;
use super::stop;

/// What a search gives in place of what it was to find.
#[derive(Debug)]
pub(super) enum Instead {
    /// A sentence for the model.
    Said(String),
    /// Nothing, since nobody waits for it any more.
    Cancelled,
}

impl Instead {
    /// The result of the call.
    pub(super) fn result<D: Default>(self) -> Result<ToolOutput<D>, ToolError> {
        match self {
            Self::Said(message) => Ok(ToolOutput::text(message).with_details(D::default())),
            Self::Cancelled => Err(stop::cancelled()),
        }
    }
}

impl From<String> for Instead {
    fn from(message: String) -> Self {
        Self::Said(message)
    }
}

impl From<PathError> for Instead {
    fn from(error: PathError) -> Self {
        Self::Said(error.to_string())
    }
}
