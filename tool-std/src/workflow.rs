//! Workflows: a program that hands out work to isolated tasks and makes one result of what they give.
//!
//! A [`Program`] is a script that calls `agent(prompt, { label, schema, model_profile })` and uses plain control flow. It is
//! replayed from its beginning each time that calls have ended, with what is known of them, so that nothing of it has to be
//! kept while tasks run and a restart goes on where it was. Each replay is made by a [`Replayer`], in a process of its own.

mod error;
mod event;
mod handle;
mod kit;
mod limits;
mod program;
mod replayer;
mod row;
mod schema;
mod space;
mod status;
mod store;
mod task;
mod tools;
mod worker;

pub use error::WorkflowError;
pub use event::{WorkflowEvent, WorkflowEventKind};
pub use handle::{NewWorkflow, RunList, RunState, RunSummary, TaskTold, Workflows};
pub use kit::{TaskBrief, TaskKit};
pub use limits::{MAX_ATTEMPTS, MAX_SLEEP, MAX_SLEEPS, MIN_SLEEP, WorkflowLimits};
pub use program::{AgentCall, CallOutcome, KnownCall, Program, ProgramFailure, Replay};
pub use replayer::Replayer;
pub use space::WorkflowSpace;
pub use status::{RunStatus, TaskStatus};
pub use store::Counts;
pub use tools::{
    cancel_workflow, list_workflows, send_message_to_workflow_task, show_workflow, workflow_tools,
};
pub use worker::{TASK_CONCURRENCY, WorkflowWorker};
