//! A question to the person: one tool that asks it and ends the turn. The answer comes as the next message.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{
    PresentationEvent, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolParams, WorkerAgentTool, tools,
    worker_tool,
};

/// The tools of this category: [`clarify()`].
#[must_use]
pub fn clarify_tools() -> Vec<WorkerAgentTool> {
    tools![clarify]
}

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct ClarifyParams {
    /// The question, with all that is needed to answer it.
    #[schemars(length(min = 1, max = 2_000))]
    question: String,
    /// Answers to choose from, the likeliest first. Leave out when the answer is a text of its own.
    #[schemars(length(min = 2, max = 4))]
    choices: Option<Vec<GivenChoice>>,
}

/// An answer as the model writes it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum GivenChoice {
    /// The answer in a few words.
    Label(#[schemars(length(min = 1, max = 200))] String),
    Described {
        /// The answer in a few words.
        #[schemars(length(min = 1, max = 200))]
        label: String,
        /// What follows from choosing it.
        #[schemars(length(min = 1, max = 500))]
        description: Option<String>,
    },
}

/// The question that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Question {
    /// Always `clarify`.
    pub tool: &'static str,
    /// Always true: the question is asked.
    pub ok: bool,
    /// The question.
    pub question: String,
    /// The answers to choose from; empty for a text of its own.
    pub choices: Vec<Choice>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Choice {
    /// The answer in a few words.
    pub label: String,
    /// What follows from choosing it, where it is more than the label says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Asks the person one question and ends the turn; the answer comes as the next message.
///
/// Use it when the work cannot go on without a decision that only the person can make. Do not use it for what can be looked
/// up or safely assumed. Do everything else first: nothing else of this turn runs after it.
#[worker_tool(destructive = false, open_world = false, activity = "Asking a question")]
pub async fn clarify(params: ClarifyParams, context: ToolContext) -> Result<ToolOutput<Question>, ToolError> {
    let question = params.question.trim();
    if question.is_empty() {
        return Err(invalid("`question` is blank; ask one question"));
    }
    let choices = params.choices.unwrap_or_default();
    let choices = choices.into_iter().map(choice).collect::<Result<Vec<_>, _>>()?;
    let again =
        (1..choices.len()).find(|&at| choices[..at].iter().any(|known| known.label == choices[at].label));
    if let Some(at) = again {
        let label = &choices[at].label;
        return Err(invalid(format!(
            "two of the `choices` are `{label}`, so the answer could not be told; give each another label"
        )));
    }

    let asked =
        serde_json::json!({ "operation_id": context.call_id(), "question": question, "choices": choices });
    let details = Question { tool: "clarify", ok: true, question: question.to_owned(), choices };
    let request = PresentationEvent::new("interaction.request", asked);
    Ok(ToolOutput::from_content(Vec::new()).with_details(details).present(request).ends_turn())
}

fn choice(given: GivenChoice) -> Result<Choice, ToolError> {
    let (label, description) = match given {
        GivenChoice::Label(label) => (label, None),
        GivenChoice::Described { label, description } => (label, description),
    };
    let label = label.trim();
    if label.is_empty() {
        return Err(invalid(
            "one of the `choices` has a blank label; say in a few words what would be chosen",
        ));
    }
    // One that only says the label again would be shown twice.
    let description =
        description.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty() && text != label);
    Ok(Choice { label: label.to_owned(), description })
}

fn invalid(problem: impl Into<String>) -> ToolError {
    ToolError::new(problem).with_kind(ToolErrorKind::InvalidArguments)
}
