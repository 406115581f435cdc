//! Where the answer of a turn that a schedule begins goes to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place that answers can be sent to, as the host names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ReplyTarget {
    /// The connection of the agent to a service of messages.
    pub binding: String,
    /// The channel there.
    pub channel: String,
    /// The thread in the channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

impl ReplyTarget {
    /// A channel of a binding.
    pub fn new(binding: impl Into<String>, channel: impl Into<String>) -> Self {
        Self { binding: binding.into(), channel: channel.into(), thread: None }
    }

    /// A thread of the channel.
    #[must_use]
    pub fn thread(mut self, thread: impl Into<String>) -> Self {
        self.thread = Some(thread.into());
        self
    }
}

/// How the answer is delivered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Delivery {
    /// Whether nothing is sent when there is nothing to tell.
    #[serde(default)]
    pub quiet_success: bool,
    /// Where it is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<ReplyTarget>,
}
