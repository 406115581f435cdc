//! Runs a job that a worker has claimed: turn after turn, until it is over, waits, or has to be let go.

mod ending;
mod live;
mod meter;
mod thread;
mod turns;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::CancellationToken;

use super::job::{Job, JobFailure};
use super::kit::MakeKit;
use super::space::JobSpace;
use super::store::End;
use crate::state::StateError;

use turns::{Trouble, Turns};
use watch::{Watch, Why};

/// How a worker runs jobs.
#[derive(Clone)]
pub(super) struct RunOptions {
    /// How long a job is the worker's own after it was last heard of.
    pub(super) lease: Duration,
    /// How long a job may do nothing.
    pub(super) stall: Duration,
    /// How long it may take until its turn has begun.
    pub(super) first_progress: Duration,
    /// How long it waits after the first failure; twice as long after each more.
    pub(super) retry: Duration,
}

/// How long a job waits for a database that was away.
const AWAY: i64 = 1_000;
/// How long it waits for its files.
const HELD: i64 = 1_000;
/// The longest wait after a failure.
const MAX_RETRY: Duration = Duration::from_secs(300);

/// Runs a claimed job and ends the claim.
///
/// # Errors
///
/// The database was away. The claim is given back if it answers again, and otherwise ends with its lease.
pub(super) async fn run(
    space: &JobSpace,
    make_kit: &MakeKit,
    options: &RunOptions,
    job: &Job,
    shutdown: &CancellationToken,
) -> Result<(), StateError> {
    let cancel = CancellationToken::new();
    let turns = Arc::new(Turns::new(space.clone(), Arc::clone(make_kit), job.clone(), cancel.clone()));
    let mut watch = Watch { space, options, job, turns: &turns, cancel: &cancel, shutdown, away: None };
    let end = tokio::select! {
        biased;
        end = turns.run() => end,
        why = watch.until_it_must_end() => {
            turns.because(why);
            Ok(turns::Done::Cancelled)
        }
    };
    let now = space.state.now();
    let mut away = None;
    let end = match (turns.why(), end) {
        (_, Ok(turns::Done::Over)) => return Ok(()),
        (Some(Why::Lost), _) => return watch.away.map_or(Ok(()), Err),
        (Some(Why::Shutdown), _) => End::Released(now),
        (Some(Why::Stalled), _) => End::Stalled,
        (Some(Why::NoProgress), _) => {
            let words = format!("its turn had not begun after {} seconds", options.first_progress.as_secs());
            End::Again(JobFailure::new("no_progress", words, true), now + wait(options, job))
        }
        (None, Ok(turns::Done::Cancelled)) => End::Released(now),
        // Another process still holds the files: one that was held to be dead, and is about to see it.
        (None, Ok(turns::Done::FilesHeld)) => End::Released(now.saturating_add(HELD)),
        (None, Ok(turns::Done::Ended(end))) => match end {
            End::Again(failure, _) => End::Again(failure, now + wait(options, job)),
            end => end,
        },
        (None, Err(Trouble::Setup(problem))) => {
            End::Again(JobFailure::new("setup_failed", problem, true), now + wait(options, job))
        }
        (None, Err(Trouble::Away(error))) => {
            away = Some(error);
            End::Released(now.saturating_add(AWAY))
        }
    };
    let recorded = turns.recorded();
    // It is done or lost: only an end that listens leaves something unread, and those are finished with their turn.
    space.finish(job, &end, recorded.as_ref()).await?;
    away.map_or(Ok(()), Err)
}

/// How long a job waits after a failure, in milliseconds.
fn wait(options: &RunOptions, job: &Job) -> i64 {
    let doublings = u32::try_from(job.failures).unwrap_or(u32::MAX).min(16);
    let wait = options.retry.saturating_mul(2_u32.saturating_pow(doublings)).min(MAX_RETRY);
    i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)
}
