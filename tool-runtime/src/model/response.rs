//! What a model answers.

use std::collections::HashSet;

use crate::call::ToolCall;

use super::item::{Item, ToolName};

/// One response of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelResponse {
    /// The provider's id of the response.
    pub id: Option<String>,
    /// What the model wrote, in order; it becomes the next part of the conversation.
    pub items: Vec<Item>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
    /// Tools that the request could not ask the provider to enforce.
    pub strict_dropped: Vec<StrictDropped>,
}

impl ModelResponse {
    /// A finished response of these items.
    #[must_use]
    pub fn new(items: Vec<Item>) -> Self {
        Self {
            id: None,
            items,
            stop: StopReason::Finished,
            usage: Usage::default(),
            strict_dropped: Vec::new(),
        }
    }

    /// The calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.items.iter().filter_map(Item::as_call)
    }

    /// What the model said to the user: its texts, one after the other.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.items.iter().filter_map(|item| match item {
            Item::Assistant(item) => Some(item.text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The tools that the provider's tool search put before the model.
    pub fn loaded(&self) -> impl Iterator<Item = &ToolName> {
        let loaded = self.items.iter().filter_map(|item| match item {
            Item::Loaded(item) => Some(&item.tools),
            _ => None,
        });
        loaded.flatten()
    }

    /// The id that a next request may build on, so that only the new items have to be sent.
    ///
    /// `None` for a response that was cut, since the provider keeps the half call, and for one whose calls have ids that
    /// cannot be answered (empty, too long, or given twice): the conversation is then sent whole, with ids that can.
    #[must_use]
    pub fn anchor(&self) -> Option<&str> {
        let id = self.id.as_deref()?;
        let mut seen = HashSet::new();
        let mut ids = self.calls().map(|call| call.id.as_str());
        let answerable = ids.all(|id| is_legal_call_id(id) && seen.insert(id));
        (answerable && !self.stop.is_cut()).then_some(id)
    }
}

/// Whether every provider takes `id` as the id of a call.
fn is_legal_call_id(id: &str) -> bool {
    !id.is_empty() && id.chars().nth(64).is_none()
}

/// Why a model stopped writing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// It said all that it wanted to, or waits for the results of its calls.
    Finished,
    /// The limit of tokens cut it off. Its calls may look complete and are not to be run.
    OutputLimit,
    /// A content filter cut it off.
    Filtered,
    /// The provider's own tools take long. What came is sent back as it is, and the model goes on from there.
    Paused,
    /// It wrote a call that the provider could not read and left out; in the provider's words, with what the model wrote
    /// where the provider says it.
    MalformedCall(String),
    /// Something else cut it off; in the provider's words.
    Other(String),
}

impl StopReason {
    /// Whether the response ends before the model had finished, so that none of its calls may run.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        !matches!(self, Self::Finished | Self::Paused)
    }
}

/// Tokens of one response, as the provider counts them; zero where it does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// The part of them that came out of the provider's cache.
    pub cached_input_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
    /// The part of them that was reasoning.
    pub reasoning_tokens: u64,
}

impl Usage {
    /// Adds what another response cost.
    pub(crate) fn add(&mut self, other: &Self) {
        let sums = [
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.cached_input_tokens, other.cached_input_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.reasoning_tokens, other.reasoning_tokens),
        ];
        for (sum, more) in sums {
            *sum = sum.saturating_add(more);
        }
    }
}

/// A tool whose author asked for enforcement that the format cannot give.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StrictDropped {
    /// The tool, as `namespace.name` or its bare name.
    pub tool: String,
    /// Why, with the place in the schema.
    pub reason: String,
}

impl StrictDropped {
    /// A tool and the reason.
    pub fn new(tool: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { tool: tool.into(), reason: reason.into() }
    }
}
