//! Recurring rules: made, changed, paused, resumed, removed, run.

use serde_json::{Map, Value};

use super::super::delivery::Delivery;
use super::super::error::ScheduleError;
use super::super::rule::{CronSchedule, Rule};
use super::super::scope::Schedules;
use super::super::view::{CronRule, RuleState};
use super::event::{EventKind, NewEvent};
use super::rule::{RuleRow, select_rules};
use super::{alone, json, unique};
use crate::state::args;

/// The most rules of an agent that are active or paused.
const MAX_RULES: i64 = 100;
/// The most runs of a rule that were asked for and wait.
const MAX_WAITING_RUNS: i64 = 10;

/// A rule to be made.
pub(in super::super) struct NewRule {
    pub(in super::super) name: String,
    pub(in super::super) schedule: CronSchedule,
    pub(in super::super) payload: Map<String, Value>,
    pub(in super::super) quiet_success: bool,
    pub(in super::super) automation: Option<String>,
}

/// What changes of a rule; what is not given stays. The inner `None` of two clears.
pub(in super::super) struct Changes {
    pub(in super::super) schedule: Option<CronSchedule>,
    pub(in super::super) payload: Option<Map<String, Value>>,
    pub(in super::super) quiet_success: Option<bool>,
    pub(in super::super) automation: Option<Option<String>>,
}

impl Schedules {
    /// Stops the rule from firing until it is resumed. What waits is cancelled.
    ///
    /// # Errors
    ///
    /// When there is no such rule, it has come to its end, or the database fails.
    pub async fn pause(&self, name: &str) -> Result<CronRule, ScheduleError> {
        let mut tx = alone(&self.state, &self.agent).await?;
        let mut row = self.live(&mut tx, name).await?;
        if row.state == RuleState::Active {
            let now = self.state.now();
            row.state = RuleState::Paused;
            row.cancel_tick(&mut tx, now).await?;
            row.update(&mut tx, now).await?;
        }
        tx.commit().await?;
        self.shown(&row).await
    }

    /// Lets a paused rule fire again, from now on.
    ///
    /// # Errors
    ///
    /// When there is no such rule, it has come to its end, or the database fails.
    pub async fn resume(&self, name: &str) -> Result<CronRule, ScheduleError> {
        let mut tx = alone(&self.state, &self.agent).await?;
        let mut row = self.live(&mut tx, name).await?;
        if row.state == RuleState::Paused {
            let now = self.state.now();
            row.state = RuleState::Active;
            row.update(&mut tx, now).await?;
            row.plan(&mut tx, now, now).await?;
        }
        tx.commit().await?;
        self.changed.notify_one();
        self.shown(&row).await
    }

    /// Removes the rule. What waits is cancelled; what is being delivered goes on.
    ///
    /// # Errors
    ///
    /// When there is no such rule, or the database fails.
    pub async fn remove(&self, name: &str) -> Result<CronRule, ScheduleError> {
        let mut tx = alone(&self.state, &self.agent).await?;
        let mut row = self.found(&mut tx, name).await?;
        if row.state != RuleState::Deleted {
            let now = self.state.now();
            row.state = RuleState::Deleted;
            tx.run(
                "UPDATE schedule_events SET state = 'cancelled', wake_at = NULL, settled_at = $2
                 WHERE rule = $1 AND state = 'scheduled'",
                args![row.id, now],
            )
            .await?;
            row.update(&mut tx, now).await?;
        }
        tx.commit().await?;
        self.shown(&row).await
    }

    pub(in super::super) async fn add_rule(&self, new: NewRule) -> Result<CronRule, ScheduleError> {
        let target = self.reply_route("add")?;
        self.check_automation(new.automation.as_deref())?;
        let (schedule, payload) = (json(&new.schedule)?, json(&new.payload)?);
        let automation = new.automation.as_deref().unwrap_or_default();
        let content = [&new.name, &schedule, &payload, &new.quiet_success.to_string(), automation];
        let idempotency = self.idempotency("cron add", &content);

        let mut tx = alone(&self.state, &self.agent).await?;
        if let Some(hash) = &idempotency {
            let sql = select_rules!("WHERE agent = $1 AND idempotency = $2 AND state <> 'deleted' LIMIT 1");
            if let Some(first) = RuleRow::first(&tx.rows(sql, args![&self.agent, hash]).await?)? {
                drop(tx);
                return self.shown(&first).await;
            }
        }
        let live = "SELECT COUNT(*) AS number FROM schedule_rules WHERE agent = $1 AND state IN ('active', 'paused')";
        let live = tx.row(live, args![&self.agent]).await?.map_or(Ok(0), |row| row.int("number"))?;
        if live >= MAX_RULES {
            return Err(ScheduleError::refused(format!(
                "there are {live} rules, and {MAX_RULES} are the most; remove those that are not needed"
            )));
        }
        let taken = select_rules!("WHERE agent = $1 AND name = $2 AND state IN ('active', 'paused')");
        if !tx.rows(taken, args![&self.agent, &new.name]).await?.is_empty() {
            return Err(ScheduleError::refused(format!(
                "there is a rule `{}` already; change it with the action `update`, or give this one another `name`",
                new.name
            )));
        }
        let now = self.state.now();
        let mut row = RuleRow {
            id: 0,
            agent: self.agent.clone(),
            name: new.name,
            state: RuleState::Active,
            schedule: self.planned(&new.schedule)?.schedule(),
            payload: new.payload,
            delivery: Delivery { quiet_success: new.quiet_success, targets: vec![target] },
            automation: new.automation,
            conversation: own_conversation(),
            spent: 0,
            created_at: now,
        };
        row.id = row.insert(&mut tx, idempotency.as_deref()).await?;
        row.plan(&mut tx, now, now).await?;
        tx.commit().await?;
        self.changed.notify_one();
        self.shown(&row).await
    }

    pub(in super::super) async fn update_rule(
        &self,
        name: &str,
        changes: Changes,
    ) -> Result<CronRule, ScheduleError> {
        self.check_automation(changes.automation.as_ref().and_then(|id| id.as_deref()))?;
        let mut tx = alone(&self.state, &self.agent).await?;
        let mut row = self.live(&mut tx, name).await?;
        let (old, now) = (row.clone(), self.state.now());
        if let Some(automation) = changes.automation {
            row.automation = automation;
        }
        if let Some(payload) = changes.payload {
            row.payload = payload;
        }
        if let Some(quiet_success) = changes.quiet_success {
            row.delivery.quiet_success = quiet_success;
        }
        if row.automation.is_none() && !has_task(&row.payload) {
            return Err(ScheduleError::invalid(
                "the rule would have neither `payload.task` nor `automation_job_id`; give the instruction as `payload.task`",
            ));
        }
        if (&row.payload, &row.delivery) != (&old.payload, &old.delivery) {
            // What was said for the old task would mislead the new one.
            row.conversation = own_conversation();
        }
        if let Some(schedule) = &changes.schedule {
            let schedule = self.planned(schedule)?.schedule();
            if schedule != row.schedule {
                row.schedule = schedule;
                // A tick of the old schedule that is being delivered is not one of the new.
                row.spent = if row.is_firing(&mut tx).await? { -1 } else { 0 };
                row.cancel_tick(&mut tx, now).await?;
            }
        }
        if row != old {
            row.update(&mut tx, now).await?;
            if row.schedule != old.schedule && row.state == RuleState::Active {
                row.plan(&mut tx, now, now).await?;
            }
        }
        tx.commit().await?;
        self.changed.notify_one();
        self.shown(&row).await
    }

    /// Runs the rule now, beside its ticks.
    pub(in super::super) async fn run_rule(
        &self,
        name: &str,
        call_id: &str,
    ) -> Result<CronRule, ScheduleError> {
        let mut tx = alone(&self.state, &self.agent).await?;
        let row = self.live(&mut tx, name).await?;
        let idempotency = self.idempotency("cron run", &[&row.id.to_string(), call_id]);
        let known = match &idempotency {
            Some(hash) => {
                let sql = "SELECT id FROM schedule_events WHERE agent = $1 AND idempotency = $2 AND state <> 'cancelled'";
                tx.row(sql, args![&self.agent, hash]).await?
            }
            None => None,
        };
        if known.is_none() {
            let waiting = "SELECT COUNT(*) AS number FROM schedule_events
                 WHERE rule = $1 AND kind = 'run' AND state IN ('scheduled', 'firing')";
            let waiting = tx.row(waiting, args![row.id]).await?.map_or(Ok(0), |row| row.int("number"))?;
            if waiting >= MAX_WAITING_RUNS {
                return Err(ScheduleError::refused(format!(
                    "{waiting} runs of `{}` wait, and {MAX_WAITING_RUNS} are the most; wait until they are done",
                    row.name
                )));
            }
            let now = self.state.now();
            let event = NewEvent {
                agent: &self.agent,
                kind: EventKind::Run,
                rule: Some(row.id),
                due_at: now,
                conversation: &row.conversation,
                body: None,
                idempotency: idempotency.as_deref(),
                replaces: None,
                now,
            };
            event.insert(&mut tx).await?;
        }
        tx.commit().await?;
        self.changed.notify_one();
        self.shown(&row).await
    }

    /// A schedule that makes sense and is due at least once from now on.
    fn planned(&self, schedule: &CronSchedule) -> Result<Rule, ScheduleError> {
        let rule = Rule::read(schedule, self.now(), &self.zone)?;
        match rule.next_after(self.now()) {
            Some(_) => Ok(rule),
            None => Err(ScheduleError::invalid(format!(
                "`schedule` ({}) is never due from now on, which is {}; look at the days of `expression` and at `occurrences.until`",
                rule.in_words(),
                rule.zone().show(self.now())
            ))),
        }
    }
}

/// The instruction of a payload, if it has one.
pub(in super::super) fn has_task(payload: &Map<String, Value>) -> bool {
    payload.get("task").and_then(Value::as_str).is_some_and(|task| !task.trim().is_empty())
}

/// The name of a conversation of a rule's own.
fn own_conversation() -> String {
    format!("cron-{}", unique())
}
