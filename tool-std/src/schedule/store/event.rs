//! A row of events.

use serde::{Deserialize, Serialize};

use super::super::delivery::Delivery;
use super::super::error::ScheduleError;
use super::super::view::EventState;
use super::super::wake::Occasion;
use super::{from_json, json, unique};
use crate::state::{Row, Tx, args};

/// All columns that [`Event::read`] reads.
macro_rules! select_events {
    ($rest:literal) => {
        concat!(
            "SELECT id, key, agent, kind, rule, state, due_at, attempts, conversation, body, replaces, replaced_by, error, \
             settled_at FROM schedule_events ",
            $rest
        )
    };
}
pub(in super::super) use select_events;

/// What kind of event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum EventKind {
    CheckBack,
    /// A rule is due.
    Tick,
    /// Somebody asked for a run of a rule.
    Run,
}

impl EventKind {
    pub(in super::super) fn as_str(self) -> &'static str {
        match self {
            Self::CheckBack => "check_back",
            Self::Tick => "tick",
            Self::Run => "run",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::CheckBack, Self::Tick, Self::Run].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// Something that is, will be or was due.
#[derive(Clone, Debug)]
pub(in super::super) struct Event {
    pub(in super::super) id: i64,
    pub(in super::super) key: String,
    pub(in super::super) agent: String,
    pub(in super::super) kind: EventKind,
    pub(in super::super) rule: Option<i64>,
    pub(in super::super) state: EventState,
    pub(in super::super) due_at: i64,
    pub(in super::super) attempts: i64,
    pub(in super::super) conversation: String,
    /// What the host is told; none of a tick or run that was not claimed yet.
    pub(in super::super) body: Option<Body>,
    pub(in super::super) replaces: Option<i64>,
    pub(in super::super) replaced_by: Option<i64>,
    pub(in super::super) error: Option<String>,
    pub(in super::super) settled_at: Option<i64>,
}

/// What the host is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Body {
    pub(in super::super) occasion: Occasion,
    pub(in super::super) delivery: Delivery,
    pub(in super::super) automation: Option<String>,
    pub(in super::super) timezone: String,
}

impl Event {
    pub(in super::super) fn read(row: &Row) -> Result<Self, ScheduleError> {
        let unknown = |what: &str| {
            ScheduleError::database(format!("the state database has an event of an unknown {what}"))
        };
        let body = row.text("body")?;
        Ok(Self {
            id: row.int("id")?,
            key: row.text("key")?,
            agent: row.text("agent")?,
            kind: EventKind::named(&row.text("kind")?).ok_or_else(|| unknown("kind"))?,
            rule: row.optional_int("rule")?,
            state: EventState::named(&row.text("state")?).ok_or_else(|| unknown("state"))?,
            due_at: row.int("due_at")?,
            attempts: row.int("attempts")?,
            conversation: row.text("conversation")?,
            body: if body.is_empty() { None } else { Some(from_json("an event", &body)?) },
            replaces: row.optional_int("replaces")?,
            replaced_by: row.optional_int("replaced_by")?,
            error: row.optional_text("error")?,
            settled_at: row.optional_int("settled_at")?,
        })
    }

    /// Reads one that is there; none if it is not.
    pub(in super::super) fn first(rows: &[Row]) -> Result<Option<Self>, ScheduleError> {
        rows.first().map(Self::read).transpose()
    }
}

/// An event to be written.
pub(in super::super) struct NewEvent<'a> {
    pub(in super::super) agent: &'a str,
    pub(in super::super) kind: EventKind,
    pub(in super::super) rule: Option<i64>,
    pub(in super::super) due_at: i64,
    pub(in super::super) conversation: &'a str,
    pub(in super::super) body: Option<&'a Body>,
    pub(in super::super) idempotency: Option<&'a str>,
    pub(in super::super) replaces: Option<i64>,
    pub(in super::super) now: i64,
}

impl NewEvent<'_> {
    /// Writes it; gives its number.
    pub(in super::super) async fn insert(self, tx: &mut Tx) -> Result<i64, ScheduleError> {
        let body = self.body.map(json).transpose()?.unwrap_or_default();
        let rows = tx
            .rows(
                "INSERT INTO schedule_events (key, agent, kind, rule, state, due_at, wake_at, attempts, conversation, body,
                     idempotency, replaces, created_at)
                 VALUES ($1, $2, $3, $4, 'scheduled', $5, $5, 0, $6, $7, $8, $9, $10) RETURNING id",
                args![
                    &unique(),
                    self.agent,
                    self.kind.as_str(),
                    self.rule,
                    self.due_at,
                    self.conversation,
                    &body,
                    self.idempotency,
                    self.replaces,
                    self.now,
                ],
            )
            .await?;
        let row = rows
            .first()
            .ok_or_else(|| ScheduleError::database("the state database gave no number for an event"))?;
        Ok(row.int("id")?)
    }
}
