//! What is due: claimed by one process, held while it is delivered, settled once.
//!
//! A claim is one conditional update, so that of several processes one has it. It ends by itself if it is not renewed, and
//! whoever has it then writes under another number of attempt: what the first still writes finds no row.

use super::super::error::ScheduleError;
use super::super::scope::instant;
use super::super::view::RuleState;
use super::super::wake::{Occasion, WakeUp};
use super::alone;
use super::event::{Body, Event, EventKind, select_events};
use super::json;
use super::rule::RuleRow;
use crate::state::{State, Tx, args};

/// How often an event is tried.
pub(in super::super) const MAX_ATTEMPTS: i64 = 10;
/// How long a claim holds if it is not renewed, in milliseconds.
pub(in super::super) const LEASE_MS: i64 = 30_000;
/// The wait after the first attempt that failed, in milliseconds; each later one is twice as long.
const FIRST_WAIT_MS: i64 = 1_000;
/// The longest wait.
const LONGEST_WAIT_MS: i64 = 300_000;
/// The events of a rule that are kept once they are over: the latest.
const KEPT_RUNS: i64 = 100;
/// How long check-backs that are over, and rules that are deleted or completed, are kept, in milliseconds.
const KEPT_MS: i64 = 30 * 86_400_000;

/// An event that this process has in hand.
#[derive(Debug)]
pub(in super::super) struct Claim {
    event: Event,
    pub(in super::super) wake: WakeUp,
}

/// What came of an attempt.
pub(in super::super) enum Delivered {
    /// The host has it.
    Taken,
    /// It has not; why.
    Refused(String),
}

/// Claims the event that is due first, if one is at `now`.
pub(in super::super) async fn claim(state: &State, now: i64) -> Result<Option<Claim>, ScheduleError> {
    let due = select_events!("WHERE wake_at <= $1 ORDER BY wake_at, id LIMIT 16");
    for row in state.database.rows(due, args![now]).await? {
        let mut event = Event::read(&row)?;
        let claimed = state
            .database
            .run(
                "UPDATE schedule_events SET state = 'firing', wake_at = $3, attempts = attempts + 1
                 WHERE id = $1 AND attempts = $2 AND wake_at <= $4",
                args![event.id, event.attempts, now.saturating_add(LEASE_MS), now],
            )
            .await?;
        if claimed == 0 {
            // Another was faster, or it was cancelled.
            continue;
        }
        event.attempts += 1;
        if event.attempts > MAX_ATTEMPTS {
            let error = format!("was begun {MAX_ATTEMPTS} times and never ended");
            over(state, &event, Err(error), now).await?;
            continue;
        }
        if let Some(body) = frozen(state, &mut event).await? {
            let wake = wake_up(&event, body);
            return Ok(Some(Claim { event, wake }));
        }
    }
    Ok(None)
}

/// What the host is told of an event: decided at its first attempt, so that repeats say the same. None if its rule is gone;
/// the event then is over.
async fn frozen(state: &State, event: &mut Event) -> Result<Option<Body>, ScheduleError> {
    if let Some(body) = event.body.take() {
        return Ok(Some(body));
    }
    let mut tx = alone(state, &event.agent).await?;
    let rule = match event.rule {
        Some(id) => RuleRow::by_id(&mut tx, id).await?,
        None => None,
    };
    let Some(rule) = rule.filter(|rule| rule.state != RuleState::Deleted) else {
        tx.run(
            "UPDATE schedule_events SET state = 'cancelled', wake_at = NULL, settled_at = $3 WHERE id = $1 AND attempts = $2",
            args![event.id, event.attempts, state.now()],
        )
        .await?;
        tx.commit().await?;
        return Ok(None);
    };
    let body = Body {
        occasion: Occasion::Cron {
            rule: rule.id,
            name: rule.name,
            payload: rule.payload,
            manual: event.kind == EventKind::Run,
        },
        delivery: rule.delivery,
        automation: rule.automation,
        timezone: rule.schedule.timezone.unwrap_or_else(|| "UTC".to_owned()),
    };
    let text = json(&body)?;
    let written = tx
        .run(
            "UPDATE schedule_events SET body = $3, conversation = $4 WHERE id = $1 AND attempts = $2",
            args![event.id, event.attempts, &text, &rule.conversation],
        )
        .await?;
    tx.commit().await?;
    event.conversation = rule.conversation;
    Ok((written > 0).then_some(body))
}

fn wake_up(event: &Event, body: Body) -> WakeUp {
    let mut occasion = body.occasion;
    if let Occasion::CheckBack { checkback_id, .. } = &mut occasion {
        *checkback_id = event.id;
    }
    WakeUp {
        key: event.key.clone(),
        agent: event.agent.clone(),
        conversation: event.conversation.clone(),
        due: instant(event.due_at),
        attempt: u32::try_from(event.attempts).unwrap_or(u32::MAX),
        delivery: body.delivery,
        automation_job_id: body.automation,
        occasion,
        timezone: body.timezone,
    }
}

impl Claim {
    /// Holds the claim for longer; false if another has it by now.
    pub(in super::super) async fn renew(&self, state: &State) -> Result<bool, ScheduleError> {
        let held = state
            .database
            .run(
                "UPDATE schedule_events SET wake_at = $3 WHERE id = $1 AND attempts = $2 AND state = 'firing'",
                args![self.event.id, self.event.attempts, state.now().saturating_add(LEASE_MS)],
            )
            .await?;
        Ok(held > 0)
    }

    /// Writes what came of the attempt: the event is over, or waits for the next attempt.
    pub(in super::super) async fn settle(
        &self,
        state: &State,
        delivered: Delivered,
    ) -> Result<(), ScheduleError> {
        let now = state.now();
        let event = &self.event;
        match delivered {
            Delivered::Taken => over(state, event, Ok(()), now).await,
            Delivered::Refused(error) if event.attempts >= MAX_ATTEMPTS => {
                over(state, event, Err(error), now).await
            }
            Delivered::Refused(error) => {
                let doubled =
                    u32::try_from(event.attempts - 1).ok().and_then(|times| 1_i64.checked_shl(times));
                let wait = doubled
                    .map_or(LONGEST_WAIT_MS, |times| times.saturating_mul(FIRST_WAIT_MS))
                    .min(LONGEST_WAIT_MS);
                let mut tx = alone(state, &event.agent).await?;
                let written = tx
                    .run(
                        "UPDATE schedule_events SET state = 'scheduled', wake_at = $3, error = $4
                         WHERE id = $1 AND attempts = $2 AND state = 'firing'",
                        args![event.id, event.attempts, now.saturating_add(wait), &error],
                    )
                    .await?;
                if written > 0 {
                    cancel_stopped(&mut tx, event, now).await?;
                }
                Ok(tx.commit().await?)
            }
        }
    }
}

/// The event is over; a rule whose tick it was is planned anew.
async fn over(
    state: &State,
    event: &Event,
    outcome: Result<(), String>,
    now: i64,
) -> Result<(), ScheduleError> {
    let (name, error) = match &outcome {
        Ok(()) => ("fired", None),
        Err(error) => ("failed", Some(error.as_str())),
    };
    let mut tx = alone(state, &event.agent).await?;
    let settled = tx
        .run(
            "UPDATE schedule_events SET state = $3, wake_at = NULL, settled_at = $4, error = COALESCE($5, error)
             WHERE id = $1 AND attempts = $2 AND state = 'firing'",
            args![event.id, event.attempts, name, now, error],
        )
        .await?;
    let rule = match event.rule {
        Some(id) if settled > 0 => RuleRow::by_id(&mut tx, id).await?,
        _ => None,
    };
    if let Some(mut rule) = rule {
        if event.kind == EventKind::Tick {
            planned(&mut rule, &mut tx, event, now).await?;
        }
        tx.run(
            "DELETE FROM schedule_events WHERE rule = $1 AND settled_at IS NOT NULL AND id NOT IN
                 (SELECT id FROM schedule_events WHERE rule = $1 AND settled_at IS NOT NULL ORDER BY id DESC LIMIT $2)",
            args![rule.id, KEPT_RUNS],
        )
        .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The tick is spent, whatever came of it; the next one is planned. What was missed meanwhile is not.
async fn planned(rule: &mut RuleRow, tx: &mut Tx, tick: &Event, now: i64) -> Result<(), ScheduleError> {
    rule.spent = rule.spent.saturating_add(1);
    match rule.rule() {
        // A zone that this version does not know, for example. Somebody has to look at it.
        Err(_) => rule.state = RuleState::Paused,
        Ok(read)
            if read.count().is_some_and(|count| rule.spent >= i64::from(count))
                && rule.state != RuleState::Deleted =>
        {
            rule.state = RuleState::Completed;
        }
        Ok(_) => {}
    }
    rule.update(tx, now).await?;
    if rule.state == RuleState::Active {
        rule.plan(tx, tick.due_at.max(now), now).await?;
    }
    Ok(())
}

/// A rule that was paused or removed while its event was being delivered has nothing that waits.
async fn cancel_stopped(tx: &mut Tx, event: &Event, now: i64) -> Result<(), ScheduleError> {
    tx.run(
        "UPDATE schedule_events SET state = 'cancelled', wake_at = NULL, settled_at = $2
         WHERE id = $1 AND EXISTS (SELECT 1 FROM schedule_rules
             WHERE schedule_rules.id = schedule_events.rule AND (schedule_rules.state IN ('deleted', 'completed')
                 OR (schedule_rules.state = 'paused' AND schedule_events.kind = 'tick')))",
        args![event.id, now],
    )
    .await?;
    Ok(())
}

/// When something is to be looked at next: the earliest that waits or whose claim ends.
pub(in super::super) async fn next(state: &State) -> Result<Option<i64>, ScheduleError> {
    let row = state.database.row("SELECT MIN(wake_at) AS wake_at FROM schedule_events", args![]).await?;
    Ok(row.map(|row| row.optional_int("wake_at")).transpose()?.flatten())
}

/// Forgets what was over long ago, so that the tables do not grow.
pub(in super::super) async fn tidy(state: &State) -> Result<(), ScheduleError> {
    let before = state.now().saturating_sub(KEPT_MS);
    for sql in [
        "DELETE FROM schedule_events WHERE kind = 'check_back' AND settled_at < $1",
        "DELETE FROM schedule_events WHERE settled_at < $1 AND rule IN
             (SELECT id FROM schedule_rules WHERE state IN ('deleted', 'completed') AND updated_at < $1)",
        "DELETE FROM schedule_rules WHERE state IN ('deleted', 'completed') AND updated_at < $1 AND id NOT IN
             (SELECT rule FROM schedule_events WHERE rule IS NOT NULL)",
    ] {
        state.database.run(sql, args![before]).await?;
    }
    Ok(())
}
