//! Standard tools for `tool-runtime`.
//!
//! One module a category; each has a catalog function that takes what the turn has and gives tools in a fixed order:
//!
//! | category | catalog | tools |
//! |---|---|---|
//! | [`mod@clarify`] | [`clarify_tools`](clarify::clarify_tools) | `clarify`: a question to the person, which ends the turn |
//! | `computer` (feature `computer`) | `computer_tools` | commands; reading, searching and changing files |
//! | `jobs` (feature `durable`) | `job_tools` | `create_background_job` and five others: long work that outlives the turn |
//! | `memory` (feature `memory`) | `memory_tools` | `recall` and `get_page`: pages and facts that outlive conversations |
//! | `schedule` (feature `schedule`) | `schedule_tools` | `check_back_later` and `cron`: the model wakes itself up |
//! | `skills` (feature `skills`) | `skill_tools` | `skill_view`: the instructions of a skill and the files they name |
//! | [`mod@todo`] | [`todo_tools`](todo::todo_tools) | `todo`: the plan of the current work |
//! | `web` (feature `web`) | `web_tools` | `web_search` and `web_fetch`: searching the web and reading its pages |
//! | `workflow` (feature `workflow`) | `workflow_tools` | `workflow` and four others: programs that hand out work to isolated tasks |
//!
//! [`turn::main_turn_tools`] composes them from what a turn has.
//!
//! The package also brings the command line `worker-tools`; `worker-tools --help` lists what it can do.

pub mod clarify;
#[cfg(feature = "computer")]
pub mod computer;
#[cfg(feature = "durable")]
pub mod jobs;
#[cfg(any(feature = "skills", feature = "web"))]
mod marks;
#[cfg(feature = "memory")]
pub mod memory;
#[cfg(feature = "schedule")]
pub mod schedule;
#[cfg(feature = "skills")]
pub mod skills;
#[cfg(feature = "durable")]
pub mod state;
pub mod todo;
pub mod turn;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "workflow")]
pub mod workflow;

/// The pages whose code is run as tests.
#[cfg(all(doctest, feature = "skills"))]
#[doc = include_str!("../../docs/skills.md")]
mod skills_page {}
#[cfg(all(doctest, feature = "computer", feature = "durable"))]
#[doc = include_str!("../../docs/jobs.md")]
mod jobs_page {}
#[cfg(all(doctest, feature = "schedule"))]
#[doc = include_str!("../../docs/schedules.md")]
mod schedules_page {}
#[cfg(all(doctest, feature = "workflow"))]
#[doc = include_str!("../../docs/workflows.md")]
mod workflows_page {}
#[cfg(all(doctest, feature = "memory"))]
#[doc = include_str!("../../docs/memory.md")]
mod memory_page {}
