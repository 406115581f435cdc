//! Talking to a job.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::Instant;
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use crate::jobs::details::last_that_fit;
use crate::jobs::store::OUTBOX;
use crate::jobs::{JobError, JobStatus, Jobs};

use super::failed;

/// How often it is looked whether there is a reply.
const LOOK: Duration = Duration::from_secs(1);
/// How many steps of a reply are shown.
const STEPS: usize = 20;
/// How many bytes of them.
const BYTES: usize = 24 * 1024;

/// What the model asks.
#[derive(Clone, Deserialize, JsonSchema, ToolParams)]
pub(crate) struct SendParams {
    /// The number of the job.
    #[schemars(range(min = 1_000, max = 9_007_199_254_740_991_i64))]
    job_id: i64,
    /// What the job shall read.
    #[schemars(length(min = 1))]
    message: String,
    /// Whether to wait for a reply.
    #[serde(default = "yes")]
    wait_reply: bool,
    /// The longest wait, in milliseconds. The message stays with the job when it is over.
    #[serde(default = "half_a_minute")]
    #[schemars(range(min = 10_000, max = 150_000))]
    wait_timeout_ms: u64,
}

fn yes() -> bool {
    true
}

fn half_a_minute() -> u64 {
    30_000
}

/// What came of a message.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Sent {
    /// The number of the job.
    pub job_id: i64,
    /// How far it is.
    pub status: JobStatus,
    /// The number of the message.
    pub message_id: i64,
    /// How the waiting ended.
    pub outcome: SentOutcome,
    /// What was done from the message on; empty without a reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trajectory: Vec<Value>,
    /// Whether earlier steps are left out.
    pub earlier_omitted: bool,
    /// Whether the job goes on.
    pub continues: bool,
}

/// How waiting for a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SentOutcome {
    /// Nobody waited.
    Sent,
    /// There is a reply.
    Replied,
    /// The time was over.
    TimedOut,
    /// The user said something.
    Steered,
}

/// Says something to a background job that is not over, and by default waits a while for its reply.
///
/// A job that has not begun reads it behind its task, one that runs between two of its steps, one that has asked something
/// takes it as the answer and goes on. The message is kept once it is sent: when the wait ends without a reply, do not send it
/// again. Waiting stops nothing.
#[worker_tool(
    destructive = false,
    open_world = false,
    activity = running_label,
    completed_activity = done_label
)]
pub async fn send_message_to_background_job(
    #[state] jobs: Jobs,
    params: SendParams,
    context: ToolContext,
) -> Result<ToolOutput<Sent>, ToolError> {
    let sent = jobs.send(context.call_id(), params.job_id, &params.message).await;
    let (state, message) = sent.map_err(failed)?;
    let mut sent = Sent {
        job_id: params.job_id,
        status: state.status,
        message_id: message,
        outcome: SentOutcome::Sent,
        trajectory: Vec::new(),
        earlier_omitted: false,
        continues: true,
    };
    if !params.wait_reply {
        return Ok(ToolOutput::text(in_words(&sent)).with_details(sent));
    }
    let deadline = Instant::now() + Duration::from_millis(params.wait_timeout_ms);
    let event = loop {
        if let Some(reply) = reply(&jobs, &mut sent).await.map_err(failed)? {
            sent.outcome = SentOutcome::Replied;
            break reply.event;
        }
        if jobs.steering.as_ref().is_some_and(|steering| !steering.is_empty()) {
            sent.outcome = SentOutcome::Steered;
            break None;
        }
        if Instant::now() >= deadline {
            sent.outcome = SentOutcome::TimedOut;
            break None;
        }
        tokio::select! {
            () = tokio::time::sleep_until(deadline.min(Instant::now() + LOOK)) => {}
            () = context.cancellation().cancelled() => {
                return Err(ToolError::new("the wait for a reply was broken off; the message stays with the job"));
            }
        }
    };
    let output = ToolOutput::text(in_words(&sent)).with_details(sent);
    Ok(match event {
        // The owner reads it here, so it need not be told again.
        Some(event) => {
            OUTBOX.done(&jobs.space.state, event).await.map_err(|error| failed(JobError::State(error)))?;
            output.completes(format!("background_job_event:{event}"))
        }
        None => output,
    })
}

/// A reply that is there.
struct Reply {
    /// The event that says the same.
    event: Option<i64>,
}

/// Looks for the reply: what the model said after it had read the message, or the end of the turn that read it.
async fn reply(jobs: &Jobs, sent: &mut Sent) -> Result<Option<Reply>, JobError> {
    let space = &jobs.space;
    let job = space.find(&jobs.agent, sent.job_id).await?;
    sent.status = job.status;
    sent.continues = job.status.is_live();
    let message = space.message(sent.message_id).await?;
    let Some(turn) = message.turn else {
        // One that is over reads nothing more.
        return Ok((!job.status.is_live()).then_some(Reply { event: None }));
    };
    let steps = space.turn_steps(job.thread, turn).await?;
    let at = steps.iter().position(|step| step.body["message"] == json!(sent.message_id)).unwrap_or_default();
    let since = steps.get(at..).unwrap_or_default();
    let has_said = since.iter().any(|step| step.body["kind"] == "text");
    let turn_is_over = job.status != JobStatus::Running || job.turn > turn;
    if !has_said && !turn_is_over {
        return Ok(None);
    }
    let (trajectory, is_cut) = last_that_fit(since, STEPS, BYTES);
    sent.trajectory = trajectory;
    sent.earlier_omitted = is_cut;
    let event = if turn_is_over { space.open_event(&jobs.owner, job.id, turn).await? } else { None };
    Ok(Some(Reply { event }))
}

/// What the model reads.
fn in_words(sent: &Sent) -> String {
    let Sent { job_id, message_id, .. } = sent;
    let status = sent.status.as_str();
    match sent.outcome {
        SentOutcome::Sent => format!("Message {message_id} is with the job {job_id} ({status})."),
        SentOutcome::TimedOut => format!(
            "The job {job_id} ({status}) has not replied in time. Message {message_id} is with it and will be read: do not send it again."
        ),
        SentOutcome::Steered => format!(
            "The wait was ended by a message of the user. Message {message_id} is with the job {job_id} ({status}) and will be read: do not send it again."
        ),
        SentOutcome::Replied if sent.trajectory.is_empty() => {
            format!("The job {job_id} is over ({status}) and has not read message {message_id}.")
        }
        SentOutcome::Replied => {
            let omitted = if sent.earlier_omitted { " (earlier steps are left out)" } else { "" };
            let goes_on = if sent.status == JobStatus::Running { " It goes on." } else { "" };
            let steps: Vec<String> = sent.trajectory.iter().map(Value::to_string).collect();
            format!(
                "The job {job_id} is {status}.{goes_on} Since message {message_id}{omitted}:\n{}",
                steps.join("\n")
            )
        }
    }
}

fn running_label(params: &SendParams) -> Option<String> {
    Some(if params.wait_reply {
        let seconds = params.wait_timeout_ms / 1_000;
        format!("Waiting up to {seconds} s for the background job {}", params.job_id)
    } else {
        format!("Telling the background job {}", params.job_id)
    })
}

fn done_label(params: &SendParams, sent: &Sent) -> Option<String> {
    let id = params.job_id;
    Some(match sent.outcome {
        SentOutcome::Sent => format!("Told the background job {id}"),
        SentOutcome::Replied => format!("The background job {id} has replied"),
        SentOutcome::TimedOut => format!("The background job {id} will reply later"),
        SentOutcome::Steered => format!("Stopped waiting for the background job {id}"),
    })
}
