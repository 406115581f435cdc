//! A row of rules.

use serde_json::{Map, Value};

use super::super::delivery::Delivery;
use super::super::error::ScheduleError;
use super::super::rule::{CronSchedule, Rule};
use super::super::scope::instant;
use super::super::view::RuleState;
use super::super::zone::Zone;
use super::event::{EventKind, NewEvent};
use super::{from_json, json};
use crate::state::{Row, Tx, args};

/// All columns that [`RuleRow::read`] reads.
macro_rules! select_rules {
    ($rest:literal) => {
        concat!(
            "SELECT id, agent, name, state, schedule, payload, delivery, automation, conversation, spent, created_at \
             FROM schedule_rules ",
            $rest
        )
    };
}
pub(in super::super) use select_rules;

/// A recurring rule.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct RuleRow {
    pub(in super::super) id: i64,
    pub(in super::super) agent: String,
    pub(in super::super) name: String,
    pub(in super::super) state: RuleState,
    pub(in super::super) schedule: CronSchedule,
    pub(in super::super) payload: Map<String, Value>,
    pub(in super::super) delivery: Delivery,
    pub(in super::super) automation: Option<String>,
    pub(in super::super) conversation: String,
    pub(in super::super) spent: i64,
    pub(in super::super) created_at: i64,
}

impl RuleRow {
    pub(in super::super) fn read(row: &Row) -> Result<Self, ScheduleError> {
        let state = RuleState::named(&row.text("state")?)
            .ok_or_else(|| ScheduleError::database("the state database has a rule of an unknown state"))?;
        Ok(Self {
            id: row.int("id")?,
            agent: row.text("agent")?,
            name: row.text("name")?,
            state,
            schedule: from_json("the schedule of a rule", &row.text("schedule")?)?,
            payload: from_json("the payload of a rule", &row.text("payload")?)?,
            delivery: from_json("the delivery of a rule", &row.text("delivery")?)?,
            automation: row.optional_text("automation")?,
            conversation: row.text("conversation")?,
            spent: row.int("spent")?,
            created_at: row.int("created_at")?,
        })
    }

    /// Reads one that is there; none if it is not.
    pub(in super::super) fn first(rows: &[Row]) -> Result<Option<Self>, ScheduleError> {
        rows.first().map(Self::read).transpose()
    }

    pub(in super::super) async fn by_id(tx: &mut Tx, id: i64) -> Result<Option<Self>, ScheduleError> {
        Self::first(&tx.rows(select_rules!("WHERE id = $1"), args![id]).await?)
    }

    /// When it is due. What is kept names its zone and its anchor.
    pub(in super::super) fn rule(&self) -> Result<Rule, ScheduleError> {
        Rule::read(&self.schedule, instant(self.created_at), &Zone::utc())
    }

    /// Writes it anew; gives its number.
    pub(in super::super) async fn insert(
        &self,
        tx: &mut Tx,
        idempotency: Option<&str>,
    ) -> Result<i64, ScheduleError> {
        let (schedule, payload, delivery) =
            (json(&self.schedule)?, json(&self.payload)?, json(&self.delivery)?);
        let rows = tx
            .rows(
                "INSERT INTO schedule_rules (agent, name, state, schedule, payload, delivery, automation, conversation,
                     idempotency, spent, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) RETURNING id",
                args![
                    &self.agent,
                    &self.name,
                    self.state.as_str(),
                    &schedule,
                    &payload,
                    &delivery,
                    self.automation.as_deref(),
                    &self.conversation,
                    idempotency,
                    self.spent,
                    self.created_at,
                ],
            )
            .await?;
        let row = rows
            .first()
            .ok_or_else(|| ScheduleError::database("the state database gave no number for a rule"))?;
        Ok(row.int("id")?)
    }

    /// Writes what may change of it.
    pub(in super::super) async fn update(&self, tx: &mut Tx, now: i64) -> Result<(), ScheduleError> {
        let (schedule, payload, delivery) =
            (json(&self.schedule)?, json(&self.payload)?, json(&self.delivery)?);
        tx.run(
            "UPDATE schedule_rules SET state = $2, schedule = $3, payload = $4, delivery = $5, automation = $6,
                 conversation = $7, spent = $8, updated_at = $9 WHERE id = $1",
            args![
                self.id,
                self.state.as_str(),
                &schedule,
                &payload,
                &delivery,
                self.automation.as_deref(),
                &self.conversation,
                self.spent,
                now,
            ],
        )
        .await?;
        Ok(())
    }

    /// Cancels the tick that waits, if one does. One that is being delivered goes on.
    pub(in super::super) async fn cancel_tick(&self, tx: &mut Tx, now: i64) -> Result<(), ScheduleError> {
        tx.run(
            "UPDATE schedule_events SET state = 'cancelled', wake_at = NULL, settled_at = $2
             WHERE rule = $1 AND kind = 'tick' AND state = 'scheduled'",
            args![self.id, now],
        )
        .await?;
        Ok(())
    }

    /// Whether a tick of it is being delivered.
    pub(in super::super) async fn is_firing(&self, tx: &mut Tx) -> Result<bool, ScheduleError> {
        let sql = "SELECT id FROM schedule_events WHERE rule = $1 AND kind = 'tick' AND state = 'firing'";
        Ok(tx.row(sql, args![self.id]).await?.is_some())
    }

    /// Plans the first tick after `reference`, or completes the rule if it has come to its end. While a tick is being
    /// delivered nothing is planned: the next one is when that is over.
    pub(in super::super) async fn plan(
        &mut self,
        tx: &mut Tx,
        reference: i64,
        now: i64,
    ) -> Result<(), ScheduleError> {
        if self.is_firing(tx).await? {
            return Ok(());
        }
        let rule = self.rule()?;
        let is_spent = rule.count().is_some_and(|count| self.spent >= i64::from(count));
        let next = if is_spent { None } else { rule.next_after(instant(reference)) };
        let Some(next) = next else {
            self.state = RuleState::Completed;
            return self.update(tx, now).await;
        };
        let event = NewEvent {
            agent: &self.agent,
            kind: EventKind::Tick,
            rule: Some(self.id),
            due_at: next.as_millisecond(),
            conversation: &self.conversation,
            body: None,
            idempotency: None,
            replaces: None,
            now,
        };
        event.insert(tx).await?;
        Ok(())
    }
}
