//! All about a job, as the model reads it.

use serde_json::{Value, json};

use super::job::Job;
use super::space::JobSpace;
use super::store::StoredStep;
use crate::state::StateError;

/// How many of the last steps are shown.
const RECENT: i64 = 3;
/// How many of the last attempts are shown.
const ATTEMPTS: usize = 25;

/// What every answer about a job begins with.
pub(crate) fn frame(job: &Job) -> Value {
    let mut frame = json!({ "title": job.title, "status": job.status });
    if !job.status.is_live() {
        frame["result_ref"] = reference(job).into();
    }
    frame
}

/// What a result that does not change any more is called.
fn reference(job: &Job) -> String {
    format!("background_job_{}", job.id)
}

/// All about a job.
pub(crate) async fn of(space: &JobSpace, job: &Job) -> Result<Value, StateError> {
    let attempts = space.attempts(job.id).await?;
    let steps =
        if job.turn == 0 { Vec::new() } else { space.last_steps(job.thread, job.turn, RECENT).await? };
    let mut shown = frame(job);
    let mut add = |key: &str, value: Value| shown[key] = value;
    add("attempts", job.claims.into());
    add(
        "current_attempt",
        attempts.iter().find(|attempt| attempt.ended_at.is_none()).map(|a| a.attempt).into(),
    );
    add("turn_status", job.turn_status.clone().into());
    let turns = (job.turn - job.first_turn + 1).max(0);
    add("threads", i64::from(job.turn > 0).into());
    add("turns", turns.into());
    add("progress", job.progress.clone().unwrap_or_default());
    add("usage", json!(job.usage));
    add("created_at", job.created_at.into());
    add("updated_at", job.updated_at.into());
    if let Some(question) = job.question.as_ref().filter(|_| job.status.is_live()) {
        add("question", question.clone());
    }
    if let Some(error) = &job.error {
        let mut error = json!(error);
        error["turn_status"] = job.turn_status.clone().into();
        add("error", error);
    }
    let first = attempts.len().saturating_sub(ATTEMPTS);
    add("attempt_history", json!(attempts.get(first..)));
    add("trajectory", steps.into_iter().map(|step| step.body).collect());
    Ok(shown)
}

/// Steps as they are shown with a reply: the last that fit, and whether earlier ones are left out.
pub(crate) fn last_that_fit(steps: &[StoredStep], count: usize, bytes: usize) -> (Vec<Value>, bool) {
    let mut room = bytes;
    let mut shown = Vec::new();
    for step in steps.iter().rev().take(count) {
        let size = step.body.to_string().len() + 1;
        if size > room {
            break;
        }
        room -= size;
        shown.push(step.body.clone());
    }
    shown.reverse();
    let is_cut = shown.len() < steps.len();
    (shown, is_cut)
}
