//! Starting a workflow.

use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::{Json, ToolSpec, WorkerAgentTool};

use crate::workflow::handle::MAX_TITLE;
use crate::workflow::{NewWorkflow, Workflows};

use super::failed;

const DESCRIPTION: &str = "Starts a workflow: a JavaScript program that hands out work to isolated tasks, and goes on at once.

The script is the body of an async function. It calls `await agent(prompt, { label, schema, model_profile })`: each call is a task \
of its own, with its own conversation, that can search the web but has no files and no shell, and knows only its prompt. The call \
gives the task's result: a text, or a value of `schema` (one type; objects list all their properties in `required` and have \
`additionalProperties: false`); null if the task has failed. `Promise.all` runs tasks side by side, up to 64 at a time; a next \
stage begins when all calls before it are over. `args` is what you give beside the script. There are no files, imports, timers \
and no console; `Date.now()` is when the run began. What the script returns is the result: a text, or a value that becomes JSON. \
You are told when it is completed or has failed; do not poll.

Use it for the same work on many items, for several views on one question, or for stages that check each other.";

/// What the model writes.
#[derive(Deserialize)]
struct Asked {
    title: String,
    script: String,
    args: Option<Value>,
    concurrency: Option<u32>,
    max_agent_calls: Option<usize>,
    model_profile: Option<String>,
}

/// The tool that starts a workflow. Its parameters depend on what there is to choose.
pub(super) fn workflow(workflows: Workflows) -> WorkerAgentTool {
    ToolSpec::new("workflow", DESCRIPTION)
        .destructive(false)
        .open_world(false)
        .schema::<Asked>(schema(&workflows))
        .activity(|_: &Asked| "Starting a workflow".to_owned())
        .execute(move |asked, context| {
            let workflows = workflows.clone();
            async move {
                let new = NewWorkflow {
                    title: asked.title,
                    script: asked.script,
                    args: asked.args,
                    concurrency: asked.concurrency,
                    max_agent_calls: asked.max_agent_calls,
                    model_profile: asked.model_profile,
                };
                workflows.start(context.call_id(), &new).await.map(Json).map_err(failed)
            }
        })
}

fn schema(workflows: &Workflows) -> Value {
    let mut properties = json!({
        "title": {
            "description": "What the workflow is called in lists: a few words.",
            "type": "string", "minLength": 1, "maxLength": MAX_TITLE, "pattern": "\\S"
        },
        "script": {
            "description": "The program, up to 256 KiB.",
            "type": "string", "minLength": 1
        },
        "args": {
            "description": "What the script finds in `args`, up to 64 KiB.",
            "type": ["object", "null"]
        },
        "concurrency": {
            "description": "How many tasks run at a time; the limit of the host if left out.",
            "type": ["integer", "null"], "minimum": 1, "maximum": 32
        },
        "max_agent_calls": {
            "description": "How often the script may call `agent`; the limit of the host if left out.",
            "type": ["integer", "null"], "minimum": 1, "maximum": 1_024
        }
    });
    if !workflows.profiles.is_empty() {
        let values: Vec<Value> =
            workflows.profiles.iter().map(|known| json!(known)).chain([Value::Null]).collect();
        properties["model_profile"] = json!({
            "description": "The model of calls that name none. Leave out for the usual one.",
            "type": ["string", "null"], "enum": values
        });
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": ["title", "script"],
        "additionalProperties": false
    })
}
