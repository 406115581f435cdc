//! The schedules of an agent, as one turn sees them.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;

use super::delivery::ReplyTarget;
use super::error::ScheduleError;
use super::wake::{Occasion, WakeUp};
use super::zone::Zone;
use crate::state::{State, StateError};

/// Says whether there is an automation job of this id.
type Automations = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// The schedules of an agent. Cheap to clone; a turn takes a clone and says what it knows of itself:
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # let folder = tempfile::tempdir()?;
/// # let place = folder.path().to_str().ok_or("a path that is no text")?;
/// # runtime.block_on(async {
/// use tool_std::schedule::{ReplyTarget, Schedules, schedule_tools};
/// use tool_std::state::State;
///
/// let schedules = Schedules::new(State::open(place).await?, "agent-1");
/// let turn = schedules
///     .conversation("conversation-7")
///     .source_event("message-42")
///     .reply_to(ReplyTarget::new("chat", "room-3"));
/// assert_eq!(schedule_tools(&turn).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Schedules {
    pub(super) state: State,
    pub(super) agent: String,
    pub(super) conversation: String,
    source_event: Option<String>,
    pub(super) reply_to: Option<ReplyTarget>,
    pub(super) fired_by: Option<i64>,
    pub(super) zone: Zone,
    automations: Option<Automations>,
    /// Rung when something may be due earlier than it was.
    pub(super) changed: Arc<Notify>,
}

impl Schedules {
    /// The schedules of `agent` in a state database. Times without a zone are those of the machine.
    pub fn new(state: State, agent: impl Into<String>) -> Self {
        Self {
            state,
            agent: agent.into(),
            conversation: String::new(),
            source_event: None,
            reply_to: None,
            fired_by: None,
            zone: Zone::system(),
            automations: None,
            changed: Arc::default(),
        }
    }

    /// Sets the zone of times without one, in place of the machine's.
    pub fn timezone(mut self, zone: Zone) -> Self {
        self.zone = zone;
        self
    }

    /// Lets automation jobs take what is due in place of a turn; `exists` says whether there is one of an id. Without it, a
    /// schedule that names one is refused.
    pub fn automations(mut self, exists: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.automations = Some(Arc::new(exists));
        self
    }

    /// Sets the conversation that the turn belongs to: check-backs wake it.
    pub fn conversation(mut self, id: impl Into<String>) -> Self {
        self.conversation = id.into();
        self
    }

    /// Sets the event that the turn answers, a message for example. A turn that is run again for the same event makes no
    /// second schedule. Without it, every call counts as a new one.
    pub fn source_event(mut self, id: impl Into<String>) -> Self {
        self.source_event = Some(id.into());
        self
    }

    /// Sets where answers of the turn go: schedules that it makes answer there. Without it none can be made.
    pub fn reply_to(mut self, target: ReplyTarget) -> Self {
        self.reply_to = Some(target);
        self
    }

    /// The schedules as the turn sees them that `wake` begins. In a turn of a rule, rules can be looked at and not changed.
    pub fn for_wake(&self, wake: &WakeUp) -> Self {
        let mut turn = self.clone();
        turn.agent.clone_from(&wake.agent);
        turn.conversation.clone_from(&wake.conversation);
        turn.source_event = Some(wake.key.clone());
        turn.reply_to = wake.delivery.targets.first().cloned();
        turn.fired_by = match wake.occasion {
            Occasion::Cron { rule, .. } => Some(rule),
            Occasion::CheckBack { .. } => None,
        };
        turn
    }

    /// The state database that they are kept in.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What time it is.
    pub(super) fn now(&self) -> Timestamp {
        instant(self.state.now())
    }

    /// Where answers of a schedule go that `action` makes.
    ///
    /// # Errors
    ///
    /// When the turn does not say.
    pub(super) fn reply_route(&self, action: &str) -> Result<ReplyTarget, ScheduleError> {
        self.reply_to.clone().ok_or_else(|| {
            ScheduleError::refused(format!(
                "`{action}` is not possible in this turn: it has no place that answers go to; tell the person so"
            ))
        })
    }

    /// Checks that there is an automation job of this id.
    pub(super) fn check_automation(&self, id: Option<&str>) -> Result<(), ScheduleError> {
        match (id, &self.automations) {
            (None, _) => Ok(()),
            (Some(id), Some(exists)) if exists(id) => Ok(()),
            (Some(id), Some(_)) => Err(ScheduleError::not_found(format!(
                "`automation_job_id` is `{id}`, and there is no such automation job"
            ))),
            (Some(_), None) => Err(ScheduleError::invalid(
                "`automation_job_id` is given, and this agent has no automation jobs; leave it out",
            )),
        }
    }

    /// What a retried call has in common with the first: a hash of the turn's event and of what is asked for.
    pub(super) fn idempotency(&self, action: &str, content: &[&str]) -> Option<String> {
        let event = self.source_event.as_deref()?;
        let text = serde_json::json!([event, action, content]).to_string();
        let hash = Sha256::digest(text.as_bytes());
        Some(hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
}

impl fmt::Debug for Schedules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schedules")
            .field("agent", &self.agent)
            .field("conversation", &self.conversation)
            .field("source_event", &self.source_event)
            .field("fired_by", &self.fired_by)
            .finish_non_exhaustive()
    }
}

/// An instant of the database.
pub(super) fn instant(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MAX)
}

impl From<StateError> for ScheduleError {
    fn from(error: StateError) -> Self {
        Self::database(error.to_string())
    }
}
