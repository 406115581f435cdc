//! How far runs and tasks are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::state::StateError;

/// An enum whose cases are single words in the database.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $what:literal: $($(#[$case_doc:meta])* $case:ident = $word:literal,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$case_doc])* $case,)*
        }

        impl $name {
            /// The status as one word.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$case => $word,)*
                }
            }

            pub(crate) fn read(text: &str) -> Result<Self, StateError> {
                match text {
                    $($word => Ok(Self::$case),)*
                    _ => Err(StateError::unreadable(format!("{} has the unknown status `{text}`", $what))),
                }
            }
        }
    };
}

words! {
    /// How far a run is.
    ///
    /// ```text
    /// running -> completed | failed | cancelled
    /// ```
    RunStatus, "a workflow":
    /// It goes on.
    Running = "running",
    /// It is done and has a result.
    Completed = "completed",
    /// It is over without a result.
    Failed = "failed",
    /// It was cancelled.
    Cancelled = "cancelled",
}

words! {
    /// How far a task is.
    ///
    /// ```text
    /// queued -> running -> succeeded | failed
    /// running <-> sleeping; running -> queued (another attempt)
    /// queued | running | sleeping -> cancelled
    /// ```
    ///
    /// A task that is over stays so.
    TaskStatus, "a task":
    /// It waits for a worker.
    Queued = "queued",
    /// A worker runs it, or will go on with it.
    Running = "running",
    /// It sleeps, or waits for a worker after it has slept.
    Sleeping = "sleeping",
    /// It has its result.
    Succeeded = "succeeded",
    /// All its attempts have failed.
    Failed = "failed",
    /// Its run was over before it.
    Cancelled = "cancelled",
}

impl RunStatus {
    /// Whether it can still change.
    #[must_use]
    pub fn is_live(self) -> bool {
        self == Self::Running
    }
}

impl TaskStatus {
    /// Whether it can still change.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Sleeping)
    }
}
