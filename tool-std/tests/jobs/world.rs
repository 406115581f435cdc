//! Jobs in a test: a space, a worker, a model that does what the test says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tool_runtime::{
    BoxFuture, CancellationToken, Content, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    ToolCall, ToolContext, ToolError, ToolResult, ToolSet, ToolSpec, WorkerAgentTool,
};
use tool_std::clarify::clarify_tools;
use tool_std::jobs::{JobBrief, JobKit, JobSpace, JobStatus, JobWorker, Jobs, job_tools};
use tool_std::state::State;

use crate::databases::TestDatabase;

/// The longest that a test waits for something that must come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A space of jobs, seen by one agent.
pub(crate) struct World {
    pub(crate) space: JobSpace,
    pub(crate) jobs: Jobs,
    /// Each call of the tool `hold` waits for a permit.
    pub(crate) gate: Arc<Semaphore>,
}

/// A worker that runs in the test.
pub(crate) struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Running {
    /// Shuts it down.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        tokio::time::timeout(PATIENCE, self.task).await.unwrap().unwrap();
    }

    /// Ends it in the middle, as one that is killed.
    pub(crate) async fn abort(self) {
        self.task.abort();
        assert!(self.task.await.unwrap_err().is_cancelled());
    }
}

impl World {
    pub(crate) async fn on(database: &TestDatabase) -> Self {
        let state = State::open(&database.place).await.unwrap();
        let space = JobSpace::new(&state, database.folder.path().join("jobs"));
        let jobs = Jobs::new(&space, "agent", "conversation");
        Self { space, jobs, gate: Arc::new(Semaphore::new(0)) }
    }

    /// A worker whose jobs answer with `model`.
    pub(crate) fn worker(&self, model: impl Fn(&[Item]) -> Answer + Send + Sync + 'static) -> JobWorker {
        let model = scripted(model);
        let gate = Arc::clone(&self.gate);
        let kit = move |_: JobBrief| {
            let mut tools = clarify_tools();
            tools.extend([hold(Arc::clone(&gate)), note()]);
            let kit = JobKit::new(Arc::clone(&model), tools);
            async move { Ok(kit) }
        };
        JobWorker::new(&self.space, kit)
            .lease(Duration::from_secs(2))
            .retry(Duration::from_millis(1))
            .problems(|problem| eprintln!("{problem}"))
    }

    /// Runs a worker.
    pub(crate) fn run(&self, worker: JobWorker) -> Running {
        let stop = CancellationToken::new();
        let until = stop.clone();
        Running { stop, task: tokio::spawn(async move { worker.run(&until).await }) }
    }

    /// Asks for a job; gives its number.
    pub(crate) async fn ask(&self, call_id: &str, task: &str) -> i64 {
        self.jobs.create(call_id, task, task, None, None).await.unwrap().job_id
    }

    /// Waits until a job has a status; gives its details.
    pub(crate) async fn until(&self, id: i64, status: JobStatus) -> Value {
        self.until_details(id, |details| details["status"] == status.as_str()).await
    }

    /// Waits until the details of a job are as wanted.
    pub(crate) async fn until_details(&self, id: i64, wanted: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            let details = self.jobs.details(id).await.unwrap();
            if wanted(&details) {
                return details;
            }
            assert!(since.elapsed() < PATIENCE, "the job stays {details:#}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Calls one of the tools as a model does.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Called {
        self.call_as(&format!("call_{name}_{arguments}"), name, arguments).await
    }

    /// The same, with an id of the call.
    pub(crate) async fn call_as(&self, id: &str, name: &str, arguments: Value) -> Called {
        let set = ToolSet::new(job_tools(&self.jobs)).unwrap();
        let call = ToolCall::new(id, name, arguments.to_string());
        let (options, events) = (tool_runtime::DispatchOptions::new(), tool_runtime::Events::none());
        let mut results =
            tool_runtime::dispatch(&set, vec![call], &options, &events, &CancellationToken::new()).await;
        Called(results.pop().unwrap())
    }
}

/// What came of a call.
pub(crate) struct Called(pub(crate) ToolResult);

impl Called {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        let text = self.0.model_text();
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text}"))
    }

    #[track_caller]
    pub(crate) fn details(&self) -> Value {
        self.0.outcome.as_ref().unwrap().details_as().unwrap()
    }

    #[track_caller]
    pub(crate) fn error(&self) -> String {
        self.0.outcome.as_ref().unwrap_err().to_string()
    }
}

/// What a scripted model does.
pub(crate) enum Answer {
    Text(String),
    Call(&'static str, Value),
    Fails(ModelError),
    /// It says this once the gate of the world lets it.
    Held(Arc<Semaphore>, String),
}

pub(crate) fn say(text: impl Into<String>) -> Answer {
    Answer::Text(text.into())
}

pub(crate) fn call(name: &'static str, arguments: Value) -> Answer {
    Answer::Call(name, arguments)
}

/// A model that does what it is told by what the conversation holds.
pub(crate) fn scripted(answer: impl Fn(&[Item]) -> Answer + Send + Sync + 'static) -> Arc<dyn Model> {
    Arc::new(Scripted(Box::new(answer)))
}

/// A model that looks at the conversation.
struct Scripted(Box<dyn Fn(&[Item]) -> Answer + Send + Sync>);

impl Model for Scripted {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let item = match (self.0)(request.items) {
                Answer::Text(text) => Item::assistant(text),
                Answer::Held(gate, text) => {
                    gate.acquire().await.unwrap().forget();
                    Item::assistant(text)
                }
                Answer::Call(name, arguments) => {
                    let id = format!("c{}", request.items.len());
                    Item::call(ToolCall::new(id, name, arguments.to_string()))
                }
                Answer::Fails(error) => return Err(error),
            };
            Ok(ModelResponse::new(vec![item]))
        })
    }
}

/// What was said to the model, in order.
pub(crate) fn said(items: &[Item]) -> Vec<String> {
    let texts = items.iter().filter_map(|item| match item {
        Item::User(content) => Some(content.iter().filter_map(Content::as_text).collect::<String>()),
        _ => None,
    });
    texts.collect()
}

/// How many results the conversation has.
pub(crate) fn results(items: &[Item]) -> usize {
    items.iter().filter(|item| matches!(item, Item::Result(_))).count()
}

/// A tool that waits until it is let through or cancelled.
fn hold(gate: Arc<Semaphore>) -> WorkerAgentTool {
    ToolSpec::new("hold", "Waits.").destructive(false).no_parameters().execute(
        move |_, context: ToolContext| {
            let gate = Arc::clone(&gate);
            async move {
                tokio::select! {
                    permit = gate.acquire() => permit.unwrap().forget(),
                    () = context.cancellation().cancelled() => return Err(ToolError::new("cancelled")),
                }
                Ok("let through")
            }
        },
    )
}

/// A tool that says something back.
fn note() -> WorkerAgentTool {
    let schema = json!({
        "type": "object",
        "properties": { "text": { "type": "string" } },
        "required": ["text"],
        "additionalProperties": false
    });
    ToolSpec::new("note", "Notes.").destructive(false).schema::<Value>(schema).execute(
        |given, _| async move {
            Ok::<_, ToolError>(format!("noted {}", given["text"].as_str().unwrap_or_default()))
        },
    )
}

impl World {
    /// Waits until so many things were told.
    pub(crate) async fn until_told<T>(&self, told: &std::sync::Mutex<Vec<T>>, count: usize) {
        let since = Instant::now();
        while told.lock().unwrap().len() < count {
            assert!(since.elapsed() < PATIENCE, "fewer than {count} were told");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
