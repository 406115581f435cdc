//! Tools for language-model agents.

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
mod json;
mod label;
mod model;
mod output;
mod params;
pub mod provider;
mod schema;
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
pub use error::{ArgumentClass, ArgumentError, SchemaProblem, ToolError, ToolErrorKind};
pub use event::{ActivityPhase, ApprovalPhase, Event, EventKind, Events, Observer, TurnPhase};
pub use error::{ArgumentClass, ArgumentError, Problem, SchemaProblem, ToolError, ToolErrorKind};
pub use event::{ActivityPhase, Event, EventKind, Events, Observer, TurnPhase};
pub use label::{IntoLabel, LabelText, LabelValue};
pub use model::{
    AssistantItem, CallItem, Delta, Item, LoadedItem, Model, ModelError, ModelErrorKind, ModelRequest,
    ModelResponse, Native, Offer, Previous, ResultItem, StopReason, StrictDropped, ToolChoice, ToolName,
    Usage,
};
pub use output::{
    CallOutput, Content, File, Image, IntoToolOutput, Json, MAX_MEDIA, Media, PresentationEvent, ToolOutput,
};
pub use params::ToolParams;
pub use schema::{ParametersSchema, output_schema};
pub use set::{ToolProblem, ToolSet, ToolSetError};
pub use spec::{
    AllowedCallers, DEFAULT_MAX_OUTPUT, ExecutionMode, GrammarSyntax, Input, Namespace, TextFormat, ToolSpec,
};
pub use tool::{
    Activity, BoxFuture, CompletedActivity, CompletedLabels, Definition, NoCompletedActivity, NoParameters,
    ToolBuilder, WorkerAgentTool,
};

pub use tokio_util::sync::CancellationToken;
pub use tool_macros::{ToolParams, worker_tool};
