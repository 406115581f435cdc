//! Asking for a job.

use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::{Json, ToolSpec, WorkerAgentTool};

use crate::jobs::Jobs;
use crate::jobs::handle::MAX_TITLE;

use super::failed;

const DESCRIPTION: &str = "Hands a long piece of work to a background job and goes on at once.

The job is an agent of its own, with its own tools, conversation and directory. It knows nothing of this conversation: the task \
must say all that it needs, what is to come out, and how to tell that it is done. You are told when it succeeds, fails or asks \
something; do not poll. Use it for work that takes many steps or minutes, not for what a few calls can do.";

/// What the model writes.
#[derive(Deserialize)]
struct Asked {
    title: String,
    task: String,
    workspace_template_id: Option<String>,
    model_profile: Option<String>,
}

/// The tool that asks for a job. Its parameters depend on what there is to choose.
pub(super) fn create_background_job(jobs: Jobs) -> WorkerAgentTool {
    ToolSpec::new("create_background_job", DESCRIPTION)
        .destructive(false)
        .open_world(false)
        .schema::<Asked>(schema(&jobs))
        .activity(|_: &Asked| "Starting a background job".to_owned())
        .execute(move |asked, context| {
            let jobs = jobs.clone();
            async move {
                let Asked { title, task, workspace_template_id, model_profile } = asked;
                let (template, profile) = (workspace_template_id.as_deref(), model_profile.as_deref());
                jobs.create(context.call_id(), &title, &task, template, profile)
                    .await
                    .map(Json)
                    .map_err(failed)
            }
        })
}

fn schema(jobs: &Jobs) -> Value {
    let mut properties = json!({
        "title": {
            "description": "What the job is called in lists: a few words.",
            "type": "string", "minLength": 1, "maxLength": MAX_TITLE, "pattern": "\\S"
        },
        "task": {
            "description": "The whole task, as the job will read it.",
            "type": "string", "minLength": 1
        }
    });
    if !jobs.templates.is_empty() {
        properties["workspace_template_id"] =
            choice("What the job's directory holds at first. Leave out for an empty one.", &jobs.templates);
    }
    if !jobs.profiles.is_empty() {
        properties["model_profile"] =
            choice("The model that does the work. Leave out for the usual one.", &jobs.profiles);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": ["title", "task"],
        "additionalProperties": false
    })
}

fn choice(description: &str, known: &[String]) -> Value {
    let values: Vec<Value> = known.iter().map(|known| json!(known)).chain([Value::Null]).collect();
    json!({ "description": description, "type": ["string", "null"], "enum": values })
}
