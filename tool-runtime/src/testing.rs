//! Calls a tool in one line of a test, the way a model does: through repair, checks, dispatch and labels.
//!
//! ```
//! use serde_json::json;
//! use tool_runtime::{testing, worker_tool};
//!
//! /// Adds two numbers.
//! #[worker_tool(read_only, activity = "Adding {a} and {b}")]
//! async fn add(#[param] a: i64, #[param] b: i64) -> i64 {
//!     a + b
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let call = testing::call(&add(), json!({"a": 1, "b": "2"})).await;
//! assert_eq!(call.text(), "3");
//! assert_eq!(call.activity.as_deref(), Some("Adding 1 and 2"));
//! assert_eq!(call.repairs[0].name, "number_from_text");
//! # });
//! ```

use std::sync::{Arc, Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::call::{CallError, CallInput, Caller, Repair, ToolCall};
use crate::dispatch::{DispatchOptions, dispatch};
use crate::event::{ActivityPhase, Event, EventKind, Events};
use crate::output::CallOutput;
use crate::set::ToolSet;
use crate::spec::{AllowedCallers, Input};
use crate::tool::WorkerAgentTool;

/// What came of a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestCall {
    /// The output, or why there is none.
    pub outcome: Result<CallOutput, CallError>,
    /// What the model reads.
    pub model_text: String,
    /// The label while it ran; `None` if there was no row.
    pub activity: Option<String>,
    /// The label after it succeeded.
    pub completed_activity: Option<String>,
    /// What had to be repaired in the arguments, in order.
    pub repairs: Vec<Repair>,
    /// All that an observer saw, in order.
    pub events: Vec<EventKind>,
}

impl TestCall {
    /// The text that the tool gave, or the error that the model reads.
    #[must_use]
    pub fn text(&self) -> String {
        self.outcome.as_ref().map_or_else(ToString::to_string, CallOutput::text)
    }

    /// The details, read into a type.
    ///
    /// # Errors
    ///
    /// When the call failed, or the details have another shape.
    pub fn details<T: DeserializeOwned>(&self) -> Result<T, String> {
        let output = self.outcome.as_ref().map_err(ToString::to_string)?;
        output.details_as().map_err(|error| error.to_string())
    }
}

/// Calls `tool` with `arguments`. A free-text tool takes a JSON string as its text.
///
/// A deferred tool is loaded first, and one that only programs may call is called by a program.
pub async fn call(tool: &WorkerAgentTool, arguments: Value) -> TestCall {
    match (&tool.spec().input, arguments) {
        (Input::Text(_), Value::String(text)) => run(tool, CallInput::Text(text)).await,
        (_, arguments) => run(tool, CallInput::Json(arguments.to_string())).await,
    }
}

/// Calls `tool` with a text as a model wrote it, broken or not.
pub async fn call_text(tool: &WorkerAgentTool, text: &str) -> TestCall {
    run(tool, CallInput::Json(text.to_owned())).await
}

async fn run(tool: &WorkerAgentTool, input: CallInput) -> TestCall {
    let spec = tool.spec();
    let namespace = spec.namespace.as_ref().map(|namespace| namespace.name.to_string());
    #[expect(clippy::panic, reason = "a test shall stop at a tool that cannot be used")]
    let mut set = ToolSet::new(vec![tool.clone()]).unwrap_or_else(|error| panic!("{error}"));
    set.load(namespace.as_deref(), &spec.name);
    let caller = match spec.allowed_callers {
        AllowedCallers::Programmatic => Caller::Program { caller_id: "test_program".to_owned() },
        AllowedCallers::Direct | AllowedCallers::Any => Caller::Direct,
    };
    let asked =
        ToolCall { namespace, input, ..ToolCall::new("test_call", spec.name.as_ref(), "").by(caller) };

    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let events = Events::to(move |event: &Event| {
        sink.lock().unwrap_or_else(PoisonError::into_inner).push(event.kind.clone());
    });
    let cancel = CancellationToken::new();
    let mut results = dispatch(&set, vec![asked], &DispatchOptions::new(), &events, &cancel).await;
    #[expect(clippy::expect_used, reason = "dispatch answers every call")]
    let result = results.pop().expect("one result for one call");
    let events = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
    TestCall {
        model_text: result.model_text(),
        outcome: result.outcome,
        activity: label(&events, ActivityPhase::Running),
        completed_activity: label(&events, ActivityPhase::Completed),
        repairs: result.repairs,
        events,
    }
}

fn label(events: &[EventKind], wanted: ActivityPhase) -> Option<String> {
    events.iter().find_map(|event| match event {
        EventKind::Activity { label, phase, .. } if *phase == wanted => Some(label.clone()),
        _ => None,
    })
}
