//! Schedules: the model wakes itself up, once or by a rule that recurs.
//!
//! Two tools make, look at and change schedules. They are kept in the state database, and whichever process fires them
//! ([`Schedules::fire`]) hands each that is due to the host ([`Wake`]): at least once, under one key.
//!
//! What is due when, and what a host does, is told in `docs/schedules.md`.

mod check_back;
mod cron;
mod cron_expression;
mod delivery;
mod error;
mod fire;
mod given;
mod instant;
mod interval;
mod once;
mod receipt;
mod rule;
mod scope;
mod store;
mod view;
mod wake;
mod zone;

pub use check_back::{CheckBackParams, CheckBackResult, check_back_later};
pub use cron::{CronLookParams, CronParams, CronResult, cron, cron_look};
pub use delivery::{Delivery, ReplyTarget};
pub use error::{ScheduleError, ScheduleErrorKind};
pub use once::{After, OnceSchedule, Unit};
pub use rule::{CronSchedule, Occurrences, Rule};
pub use scope::Schedules;
pub use view::{CheckBack, CronRule, CronRun, EventState, RuleState};
pub use wake::{Occasion, SILENT, Wake, WakeError, WakeUp};
pub use zone::Zone;

use tool_runtime::{WorkerAgentTool, tools};

/// The tools of this category for one turn: [`check_back_later()`] and [`cron()`], or [`cron_look()`] in a turn that a rule
/// began.
#[must_use]
pub fn schedule_tools(schedules: &Schedules) -> Vec<WorkerAgentTool> {
    tools![
        check_back_later(schedules.clone()),
        if schedules.fired_by.is_none() => cron(schedules.clone()),
        if schedules.fired_by.is_some() => cron_look(schedules.clone()),
    ]
}
