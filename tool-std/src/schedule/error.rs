//! Why something about schedules cannot be done.

use std::error::Error;
use std::fmt;

use tool_runtime::{ToolError, ToolErrorKind};

/// Why something about schedules cannot be done. The message says what was wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError {
    kind: ScheduleErrorKind,
    message: String,
}

/// The kind of a [`ScheduleError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScheduleErrorKind {
    /// A value makes no sense; the message names the field.
    Invalid,
    /// There is no such schedule.
    NotFound,
    /// The turn, or the state of the schedule, does not allow it.
    Refused,
    /// The database cannot be reached or does not do what it is asked; a later try may succeed.
    Database,
}

impl ScheduleError {
    fn new(kind: ScheduleErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ScheduleErrorKind::Invalid, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ScheduleErrorKind::NotFound, message)
    }

    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(ScheduleErrorKind::Refused, message)
    }

    pub(crate) fn database(message: impl Into<String>) -> Self {
        Self::new(ScheduleErrorKind::Database, message)
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ScheduleErrorKind {
        self.kind
    }

    /// The error as the model gets it.
    pub(crate) fn into_tool_error(self) -> ToolError {
        let kind = match self.kind {
            ScheduleErrorKind::Invalid => ToolErrorKind::InvalidArguments,
            ScheduleErrorKind::NotFound => ToolErrorKind::NotFound,
            ScheduleErrorKind::Refused => ToolErrorKind::Denied,
            ScheduleErrorKind::Database => ToolErrorKind::Unavailable,
        };
        ToolError::new(self.message).with_kind(kind)
    }
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ScheduleError {}
