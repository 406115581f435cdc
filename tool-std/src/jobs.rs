//! Background jobs: long work that is handed to a worker and outlives the turn that asked for it.
//!
//! A job is an agent of its own, with its own tools, conversation and directory. [`job_tools`] lets a model ask for jobs, look
//! at them, talk to them and stop them; a [`JobWorker`], in any process that reaches the same [`State`](crate::state::State),
//! runs them. What stands in the database is the truth: a worker that is killed loses nothing but the time until another one
//! takes up its jobs.

mod details;
mod error;
mod event;
mod handle;
mod job;
mod kit;
mod progress;
mod redact;
mod run;
mod schema;
mod slice;
mod space;
mod steps;
mod store;
mod tools;
mod worker;

pub use error::JobError;
pub use event::{JobEvent, JobEventKind};
pub use handle::{JobList, JobState, JobSummary, Jobs, MAX_MESSAGE};
pub use job::JobStatus;
pub use kit::{JobBrief, JobKit};
pub use space::{JobSpace, RUNNING_PER_AGENT};
pub use tools::{
    Sent, SentOutcome, job_tools, list_background_jobs, respawn_background_job,
    send_message_to_background_job, show_background_job_details, stop_background_job,
};
pub use worker::{CONCURRENCY, JobWorker};

#[cfg(feature = "workflow")]
pub(crate) use job::without_secrets;
pub(crate) use schema::MIGRATION;
#[cfg(feature = "workflow")]
pub(crate) use slice::slice;
