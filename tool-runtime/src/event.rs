//! What happens during a turn, as it happens: events for people and hosts, never for the model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::call::Repair;
use crate::context::{Progress, ProgressSink};
use crate::output::PresentationEvent;
use crate::panic::caught;

/// One event of a turn.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Event {
    /// Rises by one from event to event of a turn.
    pub revision: u64,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// A row of activity was opened or closed. Calls that never started have none.
    Activity {
        /// The call.
        call_id: String,
        /// A short text for a person: at most 120 characters, one line.
        label: String,
        /// How far the call is.
        phase: ActivityPhase,
        /// Whether the tool may destroy something.
        consequential: bool,
        /// Of a failed call, the kind of failure as one word ([`CallError::kind`](crate::CallError::kind)).
        failure: Option<&'static str>,
    },
    /// A tool reported how far it is.
    Progress {
        /// The call.
        call_id: String,
        /// What it reported.
        progress: Progress,
    },
    /// Arguments were repaired before the tool ran.
    Repaired {
        /// The call.
        call_id: String,
        /// What was done, in order.
        repairs: Vec<Repair>,
    },
    /// A tool gave something to show beside the reply.
    Presentation {
        /// The call.
        call_id: String,
        /// What to show.
        event: PresentationEvent,
    },
    /// A provider cannot enforce a tool's schema, so it is asked not to.
    StrictDropped {
        /// The tool.
        tool: String,
        /// Why, with the place in the schema.
        reason: String,
    },
    /// The turn went into another phase.
    Phase(TurnPhase),
    /// More of the text that the model writes to the user.
    Text(String),
    /// The model could not be asked and is asked again.
    Retry {
        /// Which attempt comes now, counted from 1.
        attempt: u32,
        /// How long it waits first.
        wait: Duration,
        /// What went wrong, in words.
        reason: String,
    },
    /// Somebody is asked whether a call may start, or has answered.
    Approval {
        /// The call.
        call_id: String,
        /// The label that the call will have, if any.
        label: Option<String>,
        /// How far it is.
        phase: ApprovalPhase,
    },
}

/// How far the approval of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ApprovalPhase {
    /// Somebody is asked; the call waits.
    Asked,
    /// It may start.
    Allowed,
    /// It may not.
    Denied,
}

/// How far an activity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ActivityPhase {
    /// The tool runs.
    Running,
    /// It gave its output.
    Completed,
    /// It gave none.
    Failed,
}

impl ActivityPhase {
    /// The phase as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// What the turn is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TurnPhase {
    /// The model is asked.
    AskingModel,
    /// Its calls run.
    RunningTools,
    /// The turn is over.
    Ended,
}

/// Receives the events of a turn, in order of their revision. Must not block: hand the event on and return.
/// A panic of an observer is swallowed.
pub trait Observer: Send + Sync {
    /// Called once for each event.
    fn observe(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync> Observer for F {
    fn observe(&self, event: &Event) {
        self(event);
    }
}

/// The events of one turn: numbers them and hands them to its observer. Cheap to clone.
#[derive(Clone, Default)]
pub struct Events {
    shared: Option<Arc<Shared>>,
}

struct Shared {
    revision: AtomicU64,
    observer: Box<dyn Observer>,
}

impl Events {
    /// Events that go to `observer`, numbered from 1.
    pub fn to(observer: impl Observer + 'static) -> Self {
        let observer: Box<dyn Observer> = Box::new(observer);
        Self { shared: Some(Arc::new(Shared { revision: AtomicU64::new(0), observer })) }
    }

    /// Events that nobody wants.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether anybody listens, so that events nobody wants are not made.
    pub(crate) fn wanted(&self) -> bool {
        self.shared.is_some()
    }

    /// Takes the progress of one call.
    pub(crate) fn progress_of(&self, call_id: &str) -> ProgressSink {
        let (events, call_id) = (self.clone(), call_id.to_owned());
        Box::new(move |progress| events.emit(EventKind::Progress { call_id: call_id.clone(), progress }))
    }

    pub(crate) fn emit(&self, kind: EventKind) {
        if let Some(shared) = &self.shared {
            let revision = shared.revision.fetch_add(1, Ordering::Relaxed) + 1;
            let event = Event { revision, kind };
            // A host's observer that fails must not fail the call.
            let _ = caught(|| shared.observer.observe(&event));
        }
    }
}
