//! One chance for the model to mend its final answer.

use crate::call::ToolResult;
use crate::model::{ToolChoice, ToolName};

/// What the model gives as its final answer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FinalAnswer<'a> {
    /// Its text; may be blank.
    pub text: &'a str,
    /// The results of the turn's calls so far.
    pub results: &'a [ToolResult],
}

/// What the model is told about a final answer that is none, and what it is offered to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Correction {
    /// What it is told, in the place of the user.
    pub instruction: String,
    /// The tools that it is offered for the rest of the turn; `None` leaves all of them. A call of another is answered as
    /// not offered.
    pub offer: Option<Vec<ToolName>>,
    /// Whether it has to call one of them now.
    pub tool_choice: ToolChoice,
}

impl Correction {
    /// An instruction that leaves all tools.
    pub fn new(instruction: impl Into<String>) -> Self {
        Self { instruction: instruction.into(), offer: None, tool_choice: ToolChoice::Auto }
    }

    /// Offers only these tools for the rest of the turn.
    #[must_use]
    pub fn offer(mut self, tools: impl IntoIterator<Item = ToolName>) -> Self {
        self.offer = Some(tools.into_iter().collect());
        self
    }

    /// Sets whether the model has to call a tool in the next round.
    #[must_use]
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = choice;
        self
    }
}

/// Looks at a final answer. `None` accepts it.
pub(super) type CheckAnswer = dyn Fn(&FinalAnswer<'_>) -> Option<Correction> + Send + Sync;
