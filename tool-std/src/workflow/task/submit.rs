//! Handing in the result of a task.

use serde_json::{Value, json};
use tool_runtime::{ToolError, ToolErrorKind, ToolOutput, ToolSpec, WorkerAgentTool};

use crate::workflow::store::{End, Ended};

use super::{Ending, SUBMIT};

const DESCRIPTION: &str = "Hands in the final result of this task and ends it.

Call it exactly once, when all is done. If the value is refused, mend it and call again.";

/// The tool that hands in the result. Its parameters are the schema of the call, enforced by the provider where it can be, and
/// looked at again before the value is kept.
pub(super) fn submit_result(ending: Ending) -> WorkerAgentTool {
    ToolSpec::new(SUBMIT, DESCRIPTION)
        .destructive(false)
        .open_world(false)
        .strict(true)
        .schema::<Value>(ending.schema.wrapped().clone())
        .activity(|_: &Value| "Handing in the result".to_owned())
        .execute(move |mut given, _| {
            let Ending { space, task, schema } = ending.clone();
            async move {
                let value = given.get_mut("result").map(Value::take).unwrap_or_default();
                schema
                    .check(&value)
                    .map_err(|what| ToolError::new(what).with_kind(ToolErrorKind::InvalidArguments))?;
                let said = match space.end(&task, &End::Succeeded(value.to_string())).await {
                    Ok(Ended::Done { .. }) => json!({ "accepted": true, "task_status": "succeeded" }),
                    Ok(Ended::Lost) => json!({ "accepted": false, "task_status": "cancelled" }),
                    Ok(Ended::Refused(sentence)) => {
                        return Err(ToolError::new(sentence).with_kind(ToolErrorKind::InvalidArguments));
                    }
                    Err(error) => return Err(ToolError::from(error).with_kind(ToolErrorKind::Unavailable)),
                };
                Ok(ToolOutput::text(said.to_string()).with_details(said).ends_turn())
            }
        })
}
