//! Delivers what is due to the host.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tool_runtime::CancellationToken;

use super::error::ScheduleError;
use super::scope::Schedules;
use super::store::due::{self, Claim, Delivered, LEASE_MS};
use super::wake::{Wake, WakeError};
use crate::state::State;

/// How long changes of another process may stay unseen.
const POLL: Duration = Duration::from_secs(1);
/// How often what was over long ago is forgotten.
const TIDY: Duration = Duration::from_secs(3_600);
/// How often a claim is renewed: a third of the time that it holds.
const RENEW: Duration = Duration::from_millis(LEASE_MS.unsigned_abs() / 3);

impl Schedules {
    /// Delivers all that is due now, of every agent of the database, one after the other; gives how many attempts that were.
    /// What becomes due meanwhile is delivered too.
    ///
    /// # Errors
    ///
    /// When the database fails. An attempt of which it could not be written what came of it is made again.
    pub async fn fire_due(&self, wake: &Arc<dyn Wake>) -> Result<u64, ScheduleError> {
        let mut attempts = 0;
        while let Some(claim) = due::claim(&self.state, self.state.now()).await? {
            deliver(self.state.clone(), Arc::clone(wake), claim).await?;
            attempts += 1;
        }
        Ok(attempts)
    }

    /// Delivers what becomes due, of every agent of the database, until `stop` fires; then waits for the deliveries at hand.
    ///
    /// At most `concurrency` are at hand at a time, of one rule at most one and the runs that were asked for. Between them it
    /// sleeps until the next is due; what this process changes wakes it at once, what others change within a second. Several
    /// processes can do this on one database. Errors of the database go to `problem`, and it goes on.
    pub async fn fire(
        &self,
        wake: &Arc<dyn Wake>,
        concurrency: usize,
        problem: &(dyn Fn(String) + Send + Sync),
        stop: &CancellationToken,
    ) {
        let mut at_hand: JoinSet<Result<(), ScheduleError>> = JoinSet::new();
        let mut tidied: Option<Instant> = None;
        while !stop.is_cancelled() {
            if tidied.is_none_or(|at| at.elapsed() >= TIDY) {
                tidied = Some(Instant::now());
                told(due::tidy(&self.state).await, problem);
            }
            let mut pause = POLL;
            if at_hand.len() < concurrency.max(1) {
                match self.next(&mut pause).await {
                    Ok(Some(claim)) => {
                        at_hand.spawn(deliver(self.state.clone(), Arc::clone(wake), claim));
                        continue;
                    }
                    Ok(None) => {}
                    Err(error) => problem(error.to_string()),
                }
            }
            tokio::select! {
                () = stop.cancelled() => {}
                Some(done) = at_hand.join_next() => told(done.unwrap_or(Ok(())), problem),
                () = self.changed.notified() => {}
                () = sleep(pause) => {}
            }
        }
        while let Some(done) = at_hand.join_next().await {
            told(done.unwrap_or(Ok(())), problem);
        }
    }

    /// Claims what is due; else shortens `pause` to when the next is.
    async fn next(&self, pause: &mut Duration) -> Result<Option<Claim>, ScheduleError> {
        let now = self.state.now();
        if let Some(claim) = due::claim(&self.state, now).await? {
            return Ok(Some(claim));
        }
        if let Some(next) = due::next(&self.state).await? {
            // At least a millisecond: another process may be about to take what is due.
            let until = u64::try_from(next.saturating_sub(now)).unwrap_or(0).max(1);
            *pause = POLL.min(Duration::from_millis(until));
        }
        Ok(None)
    }
}

fn told(outcome: Result<(), ScheduleError>, problem: &(dyn Fn(String) + Send + Sync)) {
    if let Err(error) = outcome {
        problem(error.to_string());
    }
}

/// Hands a wake-up to the host and writes what came of it. Holds the claim meanwhile; when another process has it all the
/// same, because this one could not reach the database for long, the host's future is dropped.
async fn deliver(state: State, wake: Arc<dyn Wake>, claim: Claim) -> Result<(), ScheduleError> {
    let call = claim.wake.clone();
    // A task of its own, so that a panic of the host's is an attempt that failed. The set ends it when it is dropped.
    let mut task = JoinSet::new();
    task.spawn(async move { wake.wake(&call).await.map_err(|error| in_words(&error)) });
    loop {
        tokio::select! {
            done = task.join_next() => {
                let delivered = match done {
                    Some(Ok(Ok(()))) => Delivered::Taken,
                    Some(Ok(Err(error))) => Delivered::Refused(error),
                    Some(Err(_)) | None => Delivered::Refused("the host's code panicked".to_owned()),
                };
                return claim.settle(&state, delivered).await;
            }
            () = sleep(RENEW) => {
                // An error may pass until the claim ends.
                if let Ok(false) = claim.renew(&state).await {
                    return Err(ScheduleError::database(format!(
                        "the wake-up `{}` was taken over by another process while it was delivered here",
                        claim.wake.key
                    )));
                }
            }
        }
    }
}

/// An error with its sources, in at most 1,000 characters.
fn in_words(error: &WakeError) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        words += &format!(": {error}");
        source = error.source();
    }
    words.chars().filter(|character| *character != '\0').take(1_000).collect()
}
