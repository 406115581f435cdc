//! A workflow: 20 files are reviewed side by side, each fault is verified by another task, and one task writes the summary.
//!
//! `cargo run -p examples --bin workflow`

use std::error::Error;
use std::sync::Arc;

use serde_json::{Value, json};
use tool_runtime::{
    BoxFuture, CancellationToken, Content, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    ToolCall,
};
use tool_std::state::State;
use tool_std::workflow::{NewWorkflow, Replayer, TaskKit, WorkflowSpace, WorkflowWorker, Workflows};

/// The program. It is replayed from its beginning after each stage, with the results of the stages before.
const SCRIPT: &str = include_str!("../../workflows/review.js");

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The program of a model runs in a child of this process, which begins here too and goes no further.
    let replayer = Replayer::of_this_program();

    // What stands in this folder is all that a worker needs to go on with the run, in this process or in another.
    let folder = tempfile::tempdir()?;
    let state = State::open(folder.path().to_str().ok_or("a path that is no text")?).await?;
    let space = WorkflowSpace::new(&state, folder.path().join("workflows"));

    let files: Vec<String> = (1..=20).map(|number| format!("src/part_{number:02}.rs")).collect();
    let new = NewWorkflow {
        title: "Review".to_owned(),
        script: SCRIPT.to_owned(),
        args: Some(json!({ "files": files })),
        ..NewWorkflow::default()
    };
    let workflows = Workflows::new(&space, "reviewer", "this program");
    let run = workflows.start("first", &new).await?.run_id;
    println!("started {run}");

    // Each task has this model, and no tools but `sleep` and `submit_result`. The owner is told when the run is over.
    let (model, over) = (Arc::new(Scripted), CancellationToken::new());
    let told = over.clone();
    let worker = WorkflowWorker::new(&space, replayer, move |_| {
        let kit = TaskKit::new(model.clone());
        async move { Ok(kit) }
    })
    .notify(move |event| {
        println!("the workflow {} has {}", event.run, event.kind.as_str());
        told.cancel();
        async { Ok(()) }
    });
    worker.run(&over).await;

    let shown = workflows.show(run).await?;
    println!("tasks: {}", shown["counts"]);
    println!("{}", workflows.whole_result(run).await?.ok_or("the run has no result")?);
    Ok(())
}

/// Answers by what the prompt says, in the place of a real model.
struct Scripted;

impl Model for Scripted {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let Some(Item::User(content)) = request.items.first() else {
                return Err(ModelError::provider("there is no prompt", false));
            };
            let prompt: String = content.iter().filter_map(Content::as_text).collect();
            let arguments = json!({ "result": answer(&prompt) }).to_string();
            Ok(ModelResponse::new(vec![Item::call(ToolCall::new("c1", "submit_result", arguments))]))
        })
    }
}

fn answer(prompt: &str) -> Value {
    if prompt.starts_with("Review the file") {
        let fault = ["part_04", "part_11", "part_17"].iter().any(|name| prompt.contains(name));
        json!({ "fault": fault, "text": if fault { "a sum can overflow." } else { "nothing." } })
    } else if prompt.starts_with("Somebody says of") {
        json!(!prompt.contains("part_11"))
    } else {
        json!("Two of 20 files have a fault that stood a second look.")
    }
}
