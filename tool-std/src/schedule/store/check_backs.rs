//! Check-backs: made, looked at, changed, cancelled.

use jiff::Timestamp;

use super::super::delivery::Delivery;
use super::super::error::ScheduleError;
use super::super::once::OnceSchedule;
use super::super::scope::{Schedules, instant};
use super::super::view::{CheckBack, EventState};
use super::super::wake::Occasion;
use super::super::zone::Zone;
use super::event::{Body, Event, EventKind, NewEvent, select_events};
use super::{alone, json};
use crate::state::{Tx, args};

/// The most check-backs of an agent that wait at a time.
const MAX_WAITING: i64 = 200;

/// A check-back to be made.
pub(in super::super) struct NewCheckBack {
    pub(in super::super) reason: String,
    pub(in super::super) check: String,
    pub(in super::super) context_summary: Option<String>,
    pub(in super::super) schedule: OnceSchedule,
    pub(in super::super) quiet_success: bool,
    pub(in super::super) automation: Option<String>,
}

/// What changes of a check-back; what is not given stays. The inner `None` of two clears.
pub(in super::super) struct Changes {
    pub(in super::super) reason: Option<String>,
    pub(in super::super) check: Option<String>,
    pub(in super::super) context_summary: Option<Option<String>>,
    pub(in super::super) schedule: Option<OnceSchedule>,
    pub(in super::super) quiet_success: Option<bool>,
    pub(in super::super) automation: Option<Option<String>>,
}

impl Schedules {
    /// The check-backs of all conversations of the agent: those that wait by time, then the others, the latest first; 100 at
    /// most.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn check_backs(&self) -> Result<Vec<CheckBack>, ScheduleError> {
        let sql = select_events!(
            "WHERE agent = $1 AND kind = 'check_back' AND replaced_by IS NULL
             ORDER BY CASE WHEN wake_at IS NULL THEN 1 ELSE 0 END,
                 CASE WHEN wake_at IS NULL THEN -due_at ELSE due_at END, id LIMIT 100"
        );
        let rows = self.state.database.rows(sql, args![&self.agent]).await?;
        rows.iter().map(|row| shown(&Event::read(row)?)).collect()
    }

    /// The same of this conversation, `limit` at most.
    pub(in super::super) async fn list_check_backs(
        &self,
        limit: i64,
    ) -> Result<Vec<CheckBack>, ScheduleError> {
        let sql = select_events!(
            "WHERE agent = $1 AND kind = 'check_back' AND conversation = $2 AND replaced_by IS NULL
             ORDER BY CASE WHEN wake_at IS NULL THEN 1 ELSE 0 END,
                 CASE WHEN wake_at IS NULL THEN -due_at ELSE due_at END, id LIMIT $3"
        );
        let rows = self.state.database.rows(sql, args![&self.agent, &self.conversation, limit]).await?;
        rows.iter().map(|row| shown(&Event::read(row)?)).collect()
    }

    /// A check-back of any conversation of the agent.
    ///
    /// # Errors
    ///
    /// When there is none of this number, or the database fails.
    pub async fn check_back(&self, id: i64) -> Result<CheckBack, ScheduleError> {
        self.in_its_conversation(id).await?.get_check_back(id).await
    }

    /// Cancels a check-back of any conversation of the agent.
    ///
    /// # Errors
    ///
    /// When there is none of this number, it does not wait any more, or the database fails.
    pub async fn cancel(&self, id: i64) -> Result<CheckBack, ScheduleError> {
        self.in_its_conversation(id).await?.cancel_check_back(id).await
    }

    async fn in_its_conversation(&self, id: i64) -> Result<Self, ScheduleError> {
        let sql =
            "SELECT conversation FROM schedule_events WHERE agent = $1 AND kind = 'check_back' AND id = $2";
        match self.state.database.row(sql, args![&self.agent, id]).await? {
            Some(row) => Ok(self.clone().conversation(row.text("conversation")?)),
            None => Err(unknown(id)),
        }
    }

    pub(in super::super) async fn get_check_back(&self, id: i64) -> Result<CheckBack, ScheduleError> {
        let rows = self.state.database.rows(ONE, args![&self.agent, &self.conversation, id]).await?;
        shown(&Event::first(&rows)?.ok_or_else(|| unknown(id))?)
    }

    pub(in super::super) async fn create_check_back(
        &self,
        new: NewCheckBack,
    ) -> Result<CheckBack, ScheduleError> {
        let target = self.reply_route("create")?;
        self.check_automation(new.automation.as_deref())?;
        let schedule = json(&new.schedule)?;
        let summary = new.context_summary.as_deref().unwrap_or_default();
        let automation = new.automation.as_deref().unwrap_or_default();
        let content =
            [&new.reason, &new.check, summary, &schedule, automation, &new.quiet_success.to_string()];
        let idempotency = self.idempotency("check_back create", &content);

        let mut tx = alone(&self.state, &self.agent).await?;
        if let Some(first) = self.repeated(&mut tx, idempotency.as_deref()).await? {
            return shown(&first);
        }
        let now = self.now();
        let (due, zone) = new.schedule.due(now, &self.zone)?;
        let waiting = "SELECT COUNT(*) AS number FROM schedule_events
             WHERE agent = $1 AND kind = 'check_back' AND state IN ('scheduled', 'firing')";
        let waiting = tx.row(waiting, args![&self.agent]).await?.map_or(Ok(0), |row| row.int("number"))?;
        if waiting >= MAX_WAITING {
            return Err(ScheduleError::refused(format!(
                "{waiting} check-backs wait, and {MAX_WAITING} are the most; cancel those that are not needed, or use a rule of `cron`"
            )));
        }
        let body = Body {
            occasion: Occasion::CheckBack {
                checkback_id: 0,
                reason: new.reason,
                check: new.check,
                context_summary: new.context_summary,
            },
            delivery: Delivery { quiet_success: new.quiet_success, targets: vec![target] },
            automation: new.automation,
            timezone: zone.name().to_owned(),
        };
        let made = self.insert(&mut tx, body, due, idempotency.as_deref(), None, now).await?;
        tx.commit().await?;
        self.changed.notify_one();
        shown(&made)
    }

    pub(in super::super) async fn update_check_back(
        &self,
        id: i64,
        changes: Changes,
    ) -> Result<CheckBack, ScheduleError> {
        let target = self.reply_route("update")?;
        self.check_automation(changes.automation.as_ref().and_then(|id| id.as_deref()))?;
        let content = json(&(
            id,
            &changes.reason,
            &changes.check,
            &changes.context_summary,
            &changes.schedule,
            changes.quiet_success,
            &changes.automation,
        ))?;
        let idempotency = self.idempotency("check_back update", &[&content]);

        let mut tx = alone(&self.state, &self.agent).await?;
        if let Some(first) = self.repeated(&mut tx, idempotency.as_deref()).await? {
            return shown(&first);
        }
        let old = self.waiting(&mut tx, id, "updated").await?;
        let mut body = old.body.ok_or_else(|| unknown(id))?;
        let Occasion::CheckBack { reason, check, context_summary, .. } = &mut body.occasion else {
            return Err(unknown(id));
        };
        let now = self.now();
        let mut due = instant(old.due_at);
        if let Some(schedule) = changes.schedule {
            let zone = Zone::named(&body.timezone).unwrap_or_else(|_| self.zone.clone());
            let (at, zone) = schedule.due(now, &zone)?;
            due = at;
            body.timezone = zone.name().to_owned();
        }
        changes.reason.into_iter().for_each(|new| *reason = new);
        changes.check.into_iter().for_each(|new| *check = new);
        changes.context_summary.into_iter().for_each(|new| *context_summary = new);
        changes.quiet_success.into_iter().for_each(|new| body.delivery.quiet_success = new);
        changes.automation.into_iter().for_each(|new| body.automation = new);
        body.delivery.targets = vec![target];
        let made = self.insert(&mut tx, body, due, idempotency.as_deref(), Some(id), now).await?;
        cancel(&mut tx, id, Some(made.id), now).await?;
        tx.commit().await?;
        self.changed.notify_one();
        shown(&made)
    }

    pub(in super::super) async fn cancel_check_back(&self, id: i64) -> Result<CheckBack, ScheduleError> {
        let mut tx = alone(&self.state, &self.agent).await?;
        let rows = tx.rows(ONE, args![&self.agent, &self.conversation, id]).await?;
        let mut event = Event::first(&rows)?.ok_or_else(|| unknown(id))?;
        if event.state != EventState::Cancelled || event.replaced_by.is_some() {
            self.waiting(&mut tx, id, "cancelled").await?;
            cancel(&mut tx, id, None, self.now()).await?;
            event.state = EventState::Cancelled;
        }
        tx.commit().await?;
        shown(&event)
    }

    async fn insert(
        &self,
        tx: &mut Tx,
        body: Body,
        due: Timestamp,
        idempotency: Option<&str>,
        replaces: Option<i64>,
        now: Timestamp,
    ) -> Result<Event, ScheduleError> {
        let event = NewEvent {
            agent: &self.agent,
            kind: EventKind::CheckBack,
            rule: None,
            due_at: due.as_millisecond(),
            conversation: &self.conversation,
            body: Some(&body),
            idempotency,
            replaces,
            now: now.as_millisecond(),
        };
        let id = event.insert(tx).await?;
        let rows = tx.rows(ONE, args![&self.agent, &self.conversation, id]).await?;
        Event::first(&rows)?.ok_or_else(|| unknown(id))
    }

    /// What an earlier call of the same content made, unless it was cancelled since; followed to what updates made of it.
    async fn repeated(&self, tx: &mut Tx, idempotency: Option<&str>) -> Result<Option<Event>, ScheduleError> {
        let sql = select_events!("WHERE agent = $1 AND idempotency = $2 ORDER BY id DESC LIMIT 1");
        let rows = match idempotency {
            Some(hash) => tx.rows(sql, args![&self.agent, hash]).await?,
            None => Vec::new(),
        };
        let mut found = Event::first(&rows)?;
        while let Some(next) = found.as_ref().and_then(|event| event.replaced_by) {
            found = Event::first(&tx.rows(select_events!("WHERE id = $1"), args![next]).await?)?;
        }
        Ok(found.filter(|event| event.state != EventState::Cancelled))
    }

    /// The check-back, if it still waits.
    async fn waiting(&self, tx: &mut Tx, id: i64, what: &str) -> Result<Event, ScheduleError> {
        let rows = tx.rows(ONE, args![&self.agent, &self.conversation, id]).await?;
        let event = Event::first(&rows)?.ok_or_else(|| unknown(id))?;
        match (event.state, event.replaced_by) {
            (EventState::Scheduled, _) => Ok(event),
            (_, Some(next)) => Err(ScheduleError::refused(format!(
                "check-back {id} cannot be {what}: an update made {next} of it; use that number"
            ))),
            (state, None) => Err(ScheduleError::refused(format!(
                "check-back {id} cannot be {what}: it is {}; create a new one if one is needed",
                state.as_str()
            ))),
        }
    }
}

const ONE: &str =
    select_events!("WHERE agent = $1 AND kind = 'check_back' AND conversation = $2 AND id = $3");

async fn cancel(tx: &mut Tx, id: i64, replaced_by: Option<i64>, now: Timestamp) -> Result<(), ScheduleError> {
    tx.run(
        "UPDATE schedule_events SET state = 'cancelled', wake_at = NULL, settled_at = $3, replaced_by = $2 WHERE id = $1",
        args![id, replaced_by, now.as_millisecond()],
    )
    .await?;
    Ok(())
}

fn unknown(id: i64) -> ScheduleError {
    ScheduleError::not_found(format!(
        "this conversation has no check-back {id}; the action `list` gives the numbers of those it has"
    ))
}

fn shown(event: &Event) -> Result<CheckBack, ScheduleError> {
    let Some(Body {
        occasion: Occasion::CheckBack { reason, check, context_summary, .. },
        delivery,
        automation,
        timezone,
    }) = event.body.clone()
    else {
        return Err(ScheduleError::database("the state database has a check-back without its text"));
    };
    let zone = Zone::named(&timezone).unwrap_or_else(|_| Zone::utc());
    Ok(CheckBack {
        checkback_id: event.id,
        state: event.state,
        due_at: zone.show(instant(event.due_at)),
        timezone,
        reason,
        check,
        context_summary,
        quiet_success: delivery.quiet_success,
        automation_job_id: automation,
        replaces: event.replaces,
        replaced_by: event.replaced_by,
        error: event.error.clone(),
    })
}
