//! The seam to a language model: what a turn asks, what the model answers, and the conversation between them as plain data.

mod error;
mod info;
mod item;
mod response;

pub use error::{MAX_RETRY_AFTER, ModelError, ModelErrorKind};
pub use info::ModelInfo;
pub use item::{AssistantItem, CallItem, Item, LoadedItem, Native, ResultItem, ToolName};
pub use response::{ModelResponse, StopReason, StrictDropped, Usage};

use std::sync::Arc;

use crate::set::ToolSet;
use crate::tool::BoxFuture;

/// Answers requests: a provider's client, or a recording.
pub trait Model: Send + Sync {
    /// Asks for one response. Text that comes in pieces is handed to `on_delta` as it comes, and stands in the response
    /// again, whole.
    ///
    /// # Errors
    ///
    /// When the request cannot be written for the provider, the provider refuses it or fails, or its answer cannot be read.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives up the request; what was answered so far is lost.
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>>;

    /// What model this is, for traces.
    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::default()
    }
}

impl<M: Model + ?Sized> Model for Arc<M> {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        (**self).respond(request, on_delta)
    }

    fn info(&self) -> ModelInfo<'_> {
        (**self).info()
    }
}

/// A piece of a response that is still being written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// More of the text for the user.
    Text(String),
}

/// One request of a turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ModelRequest<'a> {
    /// The tools of the turn.
    pub tools: &'a ToolSet,
    /// Which of them the model is offered in this round.
    pub offer: Offer<'a>,
    /// Whether the model has to call one.
    pub tool_choice: ToolChoice,
    /// Standing instructions, sent with every request.
    pub instructions: Option<&'a str>,
    /// The whole conversation, in order.
    pub items: &'a [Item],
    /// How much of it the provider knows from an earlier response; formats without such a memory send everything.
    pub previous: Option<Previous<'a>>,
    /// The most tokens that the model may write; `None` leaves it to the provider.
    pub max_output_tokens: Option<u32>,
}

impl<'a> ModelRequest<'a> {
    /// A request that offers all tools and leaves the choice to the model.
    #[must_use]
    pub fn new(tools: &'a ToolSet, items: &'a [Item]) -> Self {
        Self {
            tools,
            offer: Offer::All,
            tool_choice: ToolChoice::Auto,
            instructions: None,
            items,
            previous: None,
            max_output_tokens: None,
        }
    }
}

/// Which tools of the set a request offers. Tools that the provider runs itself are offered always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Offer<'a> {
    /// All of them.
    #[default]
    All,
    /// None: the model shall answer with what it has.
    None,
    /// These only, in the order of the set.
    Only(&'a [ToolName]),
}

impl Offer<'_> {
    /// Whether the tool is among them.
    #[must_use]
    pub fn includes(&self, tool: &ToolName) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Only(names) => names.contains(tool),
        }
    }
}

/// Whether the model has to call a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// As it sees fit.
    #[default]
    Auto,
    /// It must not.
    None,
    /// It must, any.
    Required,
    /// It must, this one.
    Tool(ToolName),
}

impl ToolChoice {
    /// Leaves a forced call to the model from now on.
    pub(crate) fn relax(&mut self) {
        if matches!(self, Self::Required | Self::Tool(_)) {
            *self = Self::Auto;
        }
    }
}

/// An earlier response that the provider still knows, so that only what came after it has to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Previous<'a> {
    /// The response, as [`ModelResponse::anchor`] gave it.
    pub id: &'a str,
    /// How many of the first items of the conversation it covers, its own included.
    pub known: usize,
}

impl<'a> Previous<'a> {
    /// A response and the number of items that it covers.
    #[must_use]
    pub fn new(id: &'a str, known: usize) -> Self {
        Self { id, known }
    }
}
