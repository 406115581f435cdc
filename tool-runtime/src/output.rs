//! What a tool gives back: content for the model, details for the host, and what else shall happen.

mod bounds;
mod content;
mod into;

pub use bounds::MAX_MEDIA;
pub(crate) use bounds::cut;
pub use content::{Content, File, Image, Media};
pub use into::{IntoToolOutput, Json};

use std::any::TypeId;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::ToolError;

/// Something the host shows beside the reply: a plan, a receipt, a table. The model never sees it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PresentationEvent {
    /// What kind of event, for example `plan.snapshot` or `effect.receipt`.
    pub kind: String,
    /// The event's data, as the kind defines it.
    pub payload: serde_json::Value,
}

impl PresentationEvent {
    /// An event of `kind` with its data.
    pub fn new(kind: impl Into<String>, payload: serde_json::Value) -> Self {
        Self { kind: kind.into(), payload }
    }
}

/// The output of a tool.
///
/// `content` is what the model reads; `details` are typed data for hosts, logs and completed-activity labels.
/// When there is no content, the model reads the details as JSON; when there is neither, it reads a short fixed
/// sentence that the tool worked and gave no output.
///
/// ```
/// use tool_runtime::{PresentationEvent, ToolOutput};
///
/// let output = ToolOutput::text("saved 3 notes").with_details(3_u32).ends_turn();
/// assert_eq!(output.details, 3);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolOutput<D = ()> {
    /// What the model reads.
    pub content: Vec<Content>,
    /// Typed data for the host.
    pub details: D,
    /// Events to show beside the reply, in order.
    pub presentation: Vec<PresentationEvent>,
    /// Ids of host events that this result completes, recorded together with it.
    pub completes: Vec<String>,
    /// Whether the turn is over with this result.
    pub ends_turn: bool,
}

impl ToolOutput {
    /// Output of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::from_content(vec![Content::Text(text.into())])
    }

    /// Output of several parts.
    #[inline]
    #[must_use]
    pub fn from_content(content: Vec<Content>) -> Self {
        Self { content, details: (), presentation: Vec::new(), completes: Vec::new(), ends_turn: false }
    }
}

impl<D> ToolOutput<D> {
    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: impl Into<Content>) -> Self {
        self.content.push(part.into());
        self
    }

    /// Replaces the details.
    #[must_use]
    pub fn with_details<T>(self, details: T) -> ToolOutput<T> {
        ToolOutput {
            content: self.content,
            details,
            presentation: self.presentation,
            completes: self.completes,
            ends_turn: self.ends_turn,
        }
    }

    /// Adds an event to show beside the reply.
    #[must_use]
    pub fn present(mut self, event: PresentationEvent) -> Self {
        self.presentation.push(event);
        self
    }

    /// Completes a host event together with this result.
    #[must_use]
    pub fn completes(mut self, event_id: impl Into<String>) -> Self {
        self.completes.push(event_id.into());
        self
    }

    /// Ends the turn with this result.
    #[must_use]
    pub fn ends_turn(mut self) -> Self {
        self.ends_turn = true;
        self
    }
}

/// The output of a finished call, with the details as JSON and the content bounded.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallOutput {
    /// What the tool gave the model; empty if it gave nothing. [`model_text`](Self::model_text) has the words for that.
    pub content: Vec<Content>,
    details: Option<Box<RawValue>>,
    /// Events to show beside the reply, in order.
    pub presentation: Vec<PresentationEvent>,
    /// Ids of host events that this result completes.
    pub completes: Vec<String>,
    /// Whether the turn is over with this result.
    pub ends_turn: bool,
    pub(crate) completed_activity: Option<Box<str>>,
    /// The deferred tools that are to be loaded with this result, by namespace and name.
    pub(crate) loads: Box<[(Option<String>, String)]>,
}

/// What the model reads when a tool worked and gave nothing.
pub(crate) const NO_OUTPUT: &str = "(the tool finished without output)";

impl CallOutput {
    /// Erases the type of the details, and adds the label of the finished call, which is made of them.
    ///
    /// # Errors
    ///
    /// When the details cannot be written as JSON (a map whose keys are no strings, for example).
    #[inline]
    pub(crate) fn from_tool<D: Serialize + 'static>(
        output: ToolOutput<D>,
        label: impl FnOnce(&D) -> Option<Box<str>>,
    ) -> Result<Self, ToolError> {
        let ToolOutput { mut content, details, presentation, completes, ends_turn } = output;
        let completed_activity = label(&details);
        let details = if TypeId::of::<D>() == TypeId::of::<()>() {
            None
        } else {
            let details = serde_json::value::to_raw_value(&details).map_err(|error| {
                ToolError::new(format!("the tool's details cannot be written as JSON: {error}"))
            })?;
            (details.get() != "null").then_some(details)
        };
        if let (true, Some(details)) = (content.is_empty(), &details) {
            content.push(Content::Text(details.get().to_owned()));
        }
        Ok(Self {
            content,
            details,
            presentation,
            completes,
            ends_turn,
            completed_activity,
            loads: Box::default(),
        })
    }

    /// The details as JSON; `None` where the tool has none.
    #[must_use]
    pub fn details(&self) -> Option<&RawValue> {
        self.details.as_deref()
    }

    /// The details read into a type.
    ///
    /// # Errors
    ///
    /// When there are none, or they have another shape.
    pub fn details_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.details.as_ref().map_or("null", |details| details.get()))
    }

    /// The text parts as one text, as the tool gave them; empty if there are none.
    #[must_use]
    pub fn text(&self) -> String {
        self.content.iter().filter_map(Content::as_text).collect()
    }

    /// What goes to the model: the content, or a short sentence when there is none, since providers refuse an empty
    /// result and models take silence for failure.
    #[must_use]
    pub fn for_model(&self) -> Vec<Content> {
        if self.content.iter().all(Content::is_empty) {
            return vec![Content::Text(NO_OUTPUT.to_owned())];
        }
        self.content.clone()
    }

    /// [`for_model`](Self::for_model) as text only; a part that is no text is named in brackets.
    #[must_use]
    pub fn model_text(&self) -> String {
        self.for_model().iter().map(Content::describe).collect()
    }
}
