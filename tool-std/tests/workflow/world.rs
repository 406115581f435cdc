//! Workflows in a test: a space, a worker, a model that does what the test says.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tool_runtime::{
    BoxFuture, CancellationToken, Content, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    Offer, ToolCall, ToolResult, ToolSet, WorkerAgentTool,
};
use tool_std::state::State;
use tool_std::workflow::{
    NewWorkflow, TaskBrief, TaskKit, WorkflowEvent, WorkflowLimits, WorkflowSpace, WorkflowWorker, Workflows,
    workflow_tools,
};

use crate::databases::TestDatabase;
use crate::replayer;

/// The longest that a test waits for something that must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A space of workflows, seen by one agent.
pub(crate) struct World {
    pub(crate) space: WorkflowSpace,
    pub(crate) workflows: Workflows,
    /// Each answer that is held waits for a permit.
    pub(crate) gate: Arc<Semaphore>,
    pub(crate) events: Arc<Mutex<Vec<WorkflowEvent>>>,
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
}

/// What a model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) prompt: String,
    pub(crate) instructions: String,
    pub(crate) offered: Vec<String>,
    /// The definition of `submit_result`.
    pub(crate) submit: Option<WorkerAgentTool>,
    pub(crate) items: Vec<Item>,
}

/// What a scripted model does.
pub(crate) enum Answer {
    Text(String),
    Call(&'static str, Value),
    Fails(ModelError),
    /// It does this once the gate of the world lets it.
    Held(Box<Answer>),
}

pub(crate) fn submit(result: Value) -> Answer {
    Answer::Call("submit_result", json!({ "result": result }))
}

impl World {
    pub(crate) async fn on(database: &TestDatabase) -> Self {
        Self::with_state(database, State::open(&database.place).await.unwrap())
    }

    pub(crate) fn with_state(database: &TestDatabase, state: State) -> Self {
        let space = WorkflowSpace::new(&state, database.folder.path().join("workflows"))
            .limits(WorkflowLimits::new());
        let workflows = Workflows::new(&space, "agent", "conversation");
        Self {
            space,
            workflows,
            gate: Arc::new(Semaphore::new(0)),
            events: Arc::default(),
            asked: Arc::default(),
        }
    }

    /// A worker whose tasks answer with `model`.
    pub(crate) fn worker(&self, model: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> WorkflowWorker {
        let model = self.model(model);
        let kit = move |_: TaskBrief| {
            let kit = TaskKit::new(Arc::clone(&model)).identity("You are Ada.");
            async move { Ok(kit) }
        };
        self.worker_with(WorkflowWorker::new(&self.space, replayer(), kit))
    }

    /// A model that does what the test says.
    pub(crate) fn model(&self, act: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Arc<dyn Model> {
        Arc::new(Scripted {
            act: Box::new(act),
            gate: Arc::clone(&self.gate),
            asked: Arc::clone(&self.asked),
        })
    }

    /// A worker that tells this world what happens.
    pub(crate) fn worker_with(&self, worker: WorkflowWorker) -> WorkflowWorker {
        let events = Arc::clone(&self.events);
        worker.lease(Duration::from_secs(2)).problems(|problem| eprintln!("{problem}")).notify(move |event| {
            events.lock().unwrap().push(event);
            async { Ok(()) }
        })
    }

    pub(crate) fn run(&self, worker: WorkflowWorker) -> Running {
        let stop = CancellationToken::new();
        let until = stop.clone();
        Running { stop, task: tokio::spawn(async move { worker.run(&until).await }) }
    }

    pub(crate) async fn start(&self, call_id: &str, script: &str, args: Option<Value>) -> i64 {
        let new = NewWorkflow {
            title: "A run".to_owned(),
            script: script.to_owned(),
            args,
            ..NewWorkflow::default()
        };
        self.workflows.start(call_id, &new).await.unwrap().run_id
    }

    /// Waits until a run is as wanted; gives what is shown of it.
    pub(crate) async fn until(&self, id: i64, wanted: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            let shown = self.workflows.show(id).await.unwrap();
            let counts = &shown["counts"];
            let parts = ["queued", "running", "sleeping", "succeeded", "failed", "cancelled"];
            let sum: i64 = parts.iter().map(|part| counts[part].as_i64().unwrap()).sum();
            assert_eq!(counts["total"], sum, "{shown:#}");
            if wanted(&shown) {
                return shown;
            }
            assert!(since.elapsed() < PATIENCE, "the run stays {shown:#}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn until_status(&self, id: i64, status: &str) -> Value {
        self.until(id, |shown| shown["status"] == status).await
    }

    /// Waits until so many events were told.
    pub(crate) async fn until_told(&self, count: usize) -> Vec<WorkflowEvent> {
        let since = Instant::now();
        loop {
            let told = self.events.lock().unwrap().clone();
            if told.len() >= count {
                return told;
            }
            assert!(since.elapsed() < PATIENCE, "only {told:?} were told");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) fn asked(&self, prompt: &str) -> Vec<Asked> {
        self.asked.lock().unwrap().iter().filter(|asked| asked.prompt == prompt).cloned().collect()
    }

    /// Calls one of the tools as a model does.
    pub(crate) async fn call(&self, id: &str, name: &str, arguments: Value) -> Result<Value, String> {
        let set = ToolSet::new(workflow_tools(&self.workflows)).unwrap();
        let call = ToolCall::new(id, name, arguments.to_string());
        let (options, events) = (tool_runtime::DispatchOptions::new(), tool_runtime::Events::none());
        let results =
            tool_runtime::dispatch(&set, vec![call], &options, &events, &CancellationToken::new()).await;
        let result: &ToolResult = &results[0];
        match &result.outcome {
            Ok(_) => Ok(serde_json::from_str(&result.model_text()).unwrap()),
            Err(error) => Err(error.to_string()),
        }
    }
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
}

/// A model that looks at the conversation.
struct Scripted {
    act: Box<dyn Fn(&Asked) -> Answer + Send + Sync>,
    gate: Arc<Semaphore>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Model for Scripted {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let offered = request.tools.tools().iter().map(|tool| tool.spec().display_name().into_owned());
            let offered = offered.filter(|name| match request.offer {
                Offer::All => true,
                Offer::Only(only) => only.iter().any(|tool| tool.display_name() == *name),
                _ => false,
            });
            let asked = Asked {
                prompt: said(request.items).first().cloned().unwrap_or_default(),
                instructions: request.instructions.unwrap_or_default().to_owned(),
                offered: offered.collect(),
                submit: request
                    .tools
                    .tools()
                    .iter()
                    .find(|tool| tool.spec().name == "submit_result")
                    .cloned(),
                items: request.items.to_vec(),
            };
            self.asked.lock().unwrap().push(asked.clone());
            let mut answer = (self.act)(&asked);
            while let Answer::Held(next) = answer {
                self.gate.acquire().await.unwrap().forget();
                answer = *next;
            }
            let item = match answer {
                Answer::Text(text) => Item::assistant(text),
                Answer::Call(name, arguments) => {
                    let id = format!("c{}", request.items.len());
                    Item::call(ToolCall::new(id, name, arguments.to_string()))
                }
                Answer::Fails(error) => return Err(error),
                Answer::Held(_) => unreachable!("let through above"),
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

/// What the tools of a conversation gave, in order.
pub(crate) fn results(items: &[Item]) -> Vec<String> {
    let texts = items.iter().filter_map(|item| match item {
        Item::Result(result) => Some(result.content.iter().filter_map(Content::as_text).collect::<String>()),
        _ => None,
    });
    texts.collect()
}
