//! Tools for agents that are driven by a language model: annotate a function, list it for a turn, and the model's calls are
//! answered with it.
//!
//! ```
//! use tool_runtime::provider::RecordedModel;
//! use tool_runtime::{Agent, CancellationToken, tools, worker_tool};
//!
//! /// Adds two numbers.
//! #[worker_tool(read_only, parallel, activity = "Adding {a} and {b}")]
//! async fn add(
//!     /// The first number.
//!     #[param]
//!     a: i64,
//!     /// The second number.
//!     #[param]
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! // What a model answered, one response a line. A client of a provider would be another `Model`.
//! let model = RecordedModel::from_text(
//!     r#"
//!     {"status":"completed","output":[{"type":"function_call","call_id":"c1","name":"add","arguments":"{\"a\":2,\"b\":3}"}]}
//!     {"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is 5."}]}]}
//!     "#,
//! )?;
//! let outcome = Agent::new(model, tools![add])?.run("What is 2 + 3?", &CancellationToken::new()).await?;
//! assert_eq!(outcome.results[0].model_text(), "5");
//! assert_eq!(outcome.text, "It is 5.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where to go next:
//!
//! - [`worker_tool`](macro@worker_tool): the attribute, with the table of its keys; [`tools!`]: the list of a turn
//! - [`ToolSpec`]: tools that are known only when the program runs
//! - [`ToolSet`]: the checked list, and a call without a turn around it
//! - [`dispatch`]: the calls of one response, and in which order they run; [`Agent`]: a whole turn
//! - [`ToolContext`]: what a running tool knows; [`ToolOutput`] and [`ToolError`]: what it gives back
//! - [`Model`] and [`provider`]: the seam to a model, and the formats on the wire; with the feature `http`, the module `http`: clients
//!   for the APIs of providers
//! - with the feature `search`, `ToolCatalog`: thousands of tools, found by a search that needs nothing of the provider
//! - with the feature `mcp`, the module `mcp`: serve tools to any MCP host, take in those of any server
//! - [`testing`]: a call in one line of a test

#[doc(hidden)]
pub mod __private;
mod agent;
mod arguments;
mod call;
mod check;
mod context;
mod dispatch;
mod error;
mod event;
#[cfg(feature = "http")]
pub mod http;
mod json;
mod label;
#[cfg(feature = "mcp")]
pub mod mcp;
mod model;
mod output;
mod panic;
mod params;
pub mod provider;
mod schema;
#[cfg(feature = "search")]
mod search;
mod set;
mod spec;
pub mod testing;
mod tool;
mod tools;

pub use agent::{
    Agent, Anchor, Approval, ApprovalRequest, ApprovalRequests, AskPerson, CallSummary, CancelledCalls,
    Correction, DEFAULT_ITERATION_LIMIT, Decision, Ending, EventReceiver, EventSender, FailureLimits,
    FileJournal, FinalAnswer, Journal, JournalEntry, JournalError, JournalSync, MemoryJournal, Outcome,
    PendingApproval, Recovered, Steering, TurnError, TurnInput, ask_person, event_channel, recover,
};
pub use arguments::{ArgumentDecoder, Decoded, Effect, Limits};
pub use call::{CallError, CallInput, Caller, Interrupted, Repair, ToolCall, ToolResult};
pub use context::{Progress, ToolContext};
pub use dispatch::{DispatchOptions, dispatch, unique_ids};
pub use error::{ArgumentClass, ArgumentError, Problem, SchemaProblem, ToolError, ToolErrorKind};
pub use event::{ActivityPhase, ApprovalPhase, Event, EventKind, Events, Observer, TurnPhase};
pub use label::{IntoLabel, LabelText, LabelValue};
pub use model::{
    AssistantItem, CallItem, Delta, Item, LoadedItem, MAX_RETRY_AFTER, Model, ModelError, ModelErrorKind,
    ModelInfo, ModelRequest, ModelResponse, Native, Offer, Previous, ResultItem, StopReason, StrictDropped,
    ToolChoice, ToolName, Usage,
};
pub use output::{
    CallOutput, Content, File, Image, IntoToolOutput, Json, MAX_MEDIA, Media, PresentationEvent, ToolOutput,
};
pub use params::ToolParams;
pub use schema::{ParametersSchema, output_schema};
#[cfg(feature = "search")]
pub use search::{TOOL_SEARCH, ToolCatalog};
pub use set::{ToolProblem, ToolSet, ToolSetError};
pub use spec::{
    AllowedCallers, DEFAULT_MAX_OUTPUT, ExecutionMode, GrammarSyntax, Input, Namespace, TextFormat, ToolSpec,
};
pub use tool::{
    Activity, BoxFuture, CompletedActivity, CompletedLabels, Definition, NoCompletedActivity, NoParameters,
    ToolBuilder, WorkerAgentTool,
};

pub use tokio_util::sync::CancellationToken;

/// For crates that derive parameters without naming these crates themselves:
/// `#[serde(crate = "tool_runtime::serde")]`, `#[schemars(crate = "tool_runtime::schemars")]`.
pub use {schemars, serde};

pub use tool_macros::ToolParams;

/// Makes a tool of an `async fn`.
///
/// ```
/// use std::sync::Arc;
///
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use tool_runtime::{Json, ToolContext, ToolError, ToolParams, tools, worker_tool};
///
/// #[derive(Deserialize, JsonSchema, ToolParams)]
/// struct Find {
///     /// The word to look for.
///     #[schemars(length(min = 1))]
///     word: String,
///     /// The most lines to give; all if left out.
///     #[schemars(range(min = 1))]
///     limit: Option<usize>,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Found {
///     lines: Vec<String>,
///     total: usize,
/// }
///
/// /// Finds the lines that hold a word.
/// #[worker_tool(
///     read_only,
///     parallel,
///     timeout = "5s",
///     activity = "Looking for {word}",
///     completed_activity = "Found {details.total} lines with {word}"
/// )]
/// async fn find(#[state] text: Arc<str>, params: Find, cx: ToolContext) -> Result<Json<Found>, ToolError> {
///     let hits: Vec<_> = text.lines().filter(|line| line.contains(&params.word)).collect();
///     if hits.is_empty() && cx.is_cancelled() {
///         return Err(ToolError::new("stopped before anything was found"));
///     }
///     let lines = hits.iter().take(params.limit.unwrap_or(usize::MAX)).map(|line| line.to_string());
///     Ok(Json(Found { lines: lines.collect(), total: hits.len() }))
/// }
///
/// let text: Arc<str> = "one fish\ntwo fish\nred".into();
/// let tools = tools![find(text)];
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
/// # runtime.block_on(async {
/// let call = tool_runtime::testing::call(&tools[0], serde_json::json!({"word": "fish", "limit": 1})).await;
/// assert_eq!(call.text(), r#"{"lines":["one fish"],"total":2}"#);
/// assert_eq!(call.completed_activity.as_deref(), Some("Found 2 lines with fish"));
/// # });
/// ```
pub use tool_macros::worker_tool;

/// The pages whose code is run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
#[cfg(all(doctest, feature = "mcp"))]
#[doc = include_str!("../../docs/mcp.md")]
mod mcp_page {}
