//! Parking a task.

use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::{ToolError, ToolErrorKind, ToolOutput, ToolSpec, WorkerAgentTool};

use crate::workflow::limits::{MAX_SLEEP, MAX_SLEEPS, MIN_SLEEP};
use crate::workflow::store::{End, Ended, Sleep};

use super::{Ending, SLEEP};

const DESCRIPTION: &str =
    "Parks this task and ends the turn; it goes on in this conversation when the time is over, or earlier \
when its owner says something to it.

Use it only to wait for something that takes minutes or longer. Nothing is done while the task sleeps.";

/// What the model writes.
#[derive(Deserialize)]
struct Asked {
    wake_after_ms: i64,
    note: String,
    #[serde(default)]
    attention: Option<bool>,
}

/// The tool that parks a task.
pub(super) fn sleep(ending: Ending) -> WorkerAgentTool {
    ToolSpec::new(SLEEP, DESCRIPTION)
        .destructive(false)
        .open_world(false)
        .schema::<Asked>(schema())
        .activity(|asked: &Asked| format!("Sleeping: {}", asked.note))
        .execute(move |asked, _| {
            let Ending { space, task, .. } = ending.clone();
            async move {
                if asked.note.contains('\0') {
                    let words = "`note` holds a NUL character; leave it out";
                    return Err(ToolError::new(words).with_kind(ToolErrorKind::InvalidArguments));
                }
                let wake_at = space.state.now().saturating_add(asked.wake_after_ms);
                let sleep = Sleep { wake_at, note: asked.note, attention: asked.attention == Some(true) };
                let said = match space.end(&task, &End::Sleeps(sleep)).await {
                    Ok(Ended::Done { sleeps }) => json!({ "task_status": "sleeping", "wake_count": sleeps }),
                    Ok(Ended::Lost) => json!({ "task_status": "cancelled", "wake_count": task.sleeps }),
                    Ok(Ended::Refused(sentence)) => return Err(ToolError::new(sentence)),
                    Err(error) => return Err(ToolError::from(error).with_kind(ToolErrorKind::Unavailable)),
                };
                Ok(ToolOutput::text(said.to_string()).with_details(said).ends_turn())
            }
        })
}

fn schema() -> Value {
    let (least, most) = (MIN_SLEEP.as_millis(), MAX_SLEEP.as_millis());
    let (least, most) = (u64::try_from(least).unwrap_or(u64::MAX), u64::try_from(most).unwrap_or(u64::MAX));
    json!({
        "type": "object",
        "properties": {
            "wake_after_ms": {
                "description": format!("How long to sleep, in milliseconds. A task sleeps at most {MAX_SLEEPS} times."),
                "type": "integer", "minimum": least, "maximum": most
            },
            "note": {
                "description": "What is waited for, in a few words.",
                "type": "string", "minLength": 1, "maxLength": 200
            },
            "attention": {
                "description": "Whether the owner has to do something, and is told so.",
                "type": ["boolean", "null"], "default": false
            }
        },
        "required": ["wake_after_ms", "note"],
        "additionalProperties": false
    })
}
