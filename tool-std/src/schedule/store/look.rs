//! Recurring rules: found by their names and shown.

use super::super::error::ScheduleError;
use super::super::scope::{Schedules, instant};
use super::super::view::{CronRule, CronRun, RuleState};
use super::super::zone::cut;
use super::event::{Event, EventKind, select_events};
use super::rule::{RuleRow, select_rules};
use crate::state::{Row, Tx, args};

const BY_NAME: &str = select_rules!(
    "WHERE agent = $1 AND name = $2
     ORDER BY CASE WHEN state IN ('active', 'paused') THEN 0 ELSE 1 END, id DESC LIMIT 1"
);

impl Schedules {
    /// The rules of the agent by name, without those that are deleted or completed.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn rules(&self) -> Result<Vec<CronRule>, ScheduleError> {
        let sql = select_rules!("WHERE agent = $1 AND state IN ('active', 'paused') ORDER BY name");
        let mut rules = Vec::new();
        for row in self.state.database.rows(sql, args![&self.agent]).await? {
            rules.push(self.shown(&RuleRow::read(&row)?).await?);
        }
        Ok(rules)
    }

    /// The rule of this name: the one that is active or paused, else the last that was.
    ///
    /// # Errors
    ///
    /// When there is none, or the database fails.
    pub async fn rule(&self, name: &str) -> Result<CronRule, ScheduleError> {
        self.shown(&self.find(name).await?).await
    }

    /// What the rule was due for, the latest first, `limit` at most.
    ///
    /// # Errors
    ///
    /// When there is no such rule, or the database fails.
    pub async fn runs(&self, name: &str, limit: u32) -> Result<Vec<CronRun>, ScheduleError> {
        let row = self.find(name).await?;
        let zone = row.rule()?.zone().clone();
        let sql = select_events!("WHERE rule = $1 ORDER BY id DESC LIMIT $2");
        let rows = self.state.database.rows(sql, args![row.id, i64::from(limit)]).await?;
        let run = |row: &Row| {
            let event = Event::read(row)?;
            Ok(CronRun {
                manual: event.kind == EventKind::Run,
                state: event.state,
                due_at: zone.show(instant(event.due_at)),
                settled_at: event.settled_at.map(|at| zone.show(instant(at))),
                attempts: event.attempts,
                error: event.error,
            })
        };
        rows.iter().map(run).collect()
    }

    async fn find(&self, name: &str) -> Result<RuleRow, ScheduleError> {
        let rows = match (name.is_empty(), self.fired_by) {
            (true, Some(id)) => self.state.database.rows(select_rules!("WHERE id = $1"), args![id]).await?,
            _ => self.state.database.rows(BY_NAME, args![&self.agent, name]).await?,
        };
        match RuleRow::first(&rows)? {
            Some(row) => Ok(row),
            None => Err(self.unknown(name).await?),
        }
    }

    /// The same in a transaction.
    pub(super) async fn found(&self, tx: &mut Tx, name: &str) -> Result<RuleRow, ScheduleError> {
        match RuleRow::first(&tx.rows(BY_NAME, args![&self.agent, name]).await?)? {
            Some(row) => Ok(row),
            None => Err(self.unknown(name).await?),
        }
    }

    /// The same, if it has not come to its end.
    pub(super) async fn live(&self, tx: &mut Tx, name: &str) -> Result<RuleRow, ScheduleError> {
        let row = self.found(tx, name).await?;
        match row.state {
            RuleState::Active | RuleState::Paused => Ok(row),
            state => Err(ScheduleError::refused(format!(
                "the rule `{}` is {}; make a new one with the action `add`",
                row.name,
                state.as_str()
            ))),
        }
    }

    async fn unknown(&self, name: &str) -> Result<ScheduleError, ScheduleError> {
        const SHOWN: usize = 20;
        let sql = "SELECT name FROM schedule_rules WHERE agent = $1 AND state IN ('active', 'paused') ORDER BY name";
        let rows = self.state.database.rows(sql, args![&self.agent]).await?;
        let names = rows.iter().take(SHOWN).map(|row| Ok(format!("`{}`", row.text("name")?)));
        let names = names.collect::<Result<Vec<_>, ScheduleError>>()?;
        let more = rows.len().saturating_sub(SHOWN);
        let known = match (names.is_empty(), more) {
            (true, _) => "there are none".to_owned(),
            (false, 0) => format!("there are {}", names.join(", ")),
            (false, more) => format!("there are {} and {more} more", names.join(", ")),
        };
        Ok(ScheduleError::not_found(format!("there is no rule `{}`; {known}", cut(name))))
    }

    pub(super) async fn shown(&self, row: &RuleRow) -> Result<CronRule, ScheduleError> {
        let next = "SELECT due_at FROM schedule_events WHERE rule = $1 AND kind = 'tick' AND state IN ('scheduled', 'firing')";
        let next = self.state.database.row(next, args![row.id]).await?;
        let next = next.map(|row| row.int("due_at")).transpose()?;
        let rule = row.rule()?;
        let zone = rule.zone();
        Ok(CronRule {
            name: row.name.clone(),
            state: row.state,
            schedule: row.schedule.clone(),
            payload: row.payload.clone(),
            quiet_success: row.delivery.quiet_success,
            automation_job_id: row.automation.clone(),
            conversation: row.conversation.clone(),
            occurrences_spent: row.spent.max(0),
            next_at: next.map(|at| zone.show(instant(at))),
            created_at: zone.show(instant(row.created_at)),
        })
    }
}
