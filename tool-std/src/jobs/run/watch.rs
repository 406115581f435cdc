//! Looks after a job while it runs: renews the lease, writes down what was done, brings messages, sees that it has to end.

use std::time::{Duration, Instant};

use tool_runtime::CancellationToken;

use crate::jobs::job::Job;
use crate::jobs::run::RunOptions;
use crate::jobs::run::turns::Turns;
use crate::jobs::space::JobSpace;
use crate::jobs::store::Beat;
use crate::state::StateError;

/// The longest time between two beats.
const BEAT: Duration = Duration::from_millis(1_000);
/// How long a turn has after it was cancelled: the grace of its calls, and a little.
const GRACE: Duration = Duration::from_secs(5);

/// Why a job that runs has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// It is not the worker's any more.
    Lost,
    /// The worker shuts down.
    Shutdown,
    /// It did nothing for too long.
    Stalled,
    /// Its turn did not begin.
    NoProgress,
}

pub(super) struct Watch<'a> {
    pub(super) space: &'a JobSpace,
    pub(super) options: &'a RunOptions,
    pub(super) job: &'a Job,
    pub(super) turns: &'a Turns,
    pub(super) cancel: &'a CancellationToken,
    pub(super) shutdown: &'a CancellationToken,
    /// Why the lease could not be renewed before it was over.
    pub(super) away: Option<StateError>,
}

impl Watch<'_> {
    /// Watches until there is a reason to end; then cancels the turn, gives it time to end by itself, and returns the reason.
    pub(super) async fn until_it_must_end(&mut self) -> Why {
        let why = self.reason().await;
        self.turns.because(why);
        self.cancel.cancel();
        tokio::time::sleep(GRACE).await;
        why
    }

    async fn reason(&mut self) -> Why {
        let mut heard = Instant::now();
        let beat = BEAT.min(self.options.lease / 3);
        loop {
            tokio::select! {
                () = tokio::time::sleep(beat) => {}
                () = self.shutdown.cancelled() => return Why::Shutdown,
            }
            let lease = i64::try_from(self.options.lease.as_millis()).unwrap_or(i64::MAX);
            let recorded = self.turns.recorded();
            match self
                .space
                .beat(self.job, self.space.state.now().saturating_add(lease), recorded.as_ref())
                .await
            {
                Ok(Beat::Lost) => return Why::Lost,
                Ok(Beat::Held(messages)) => {
                    heard = Instant::now();
                    if let Some(recorded) = &recorded {
                        self.turns.stored(recorded);
                    }
                    self.turns.bring(messages);
                }
                // Others may take the job from now on, so this worker must not go on with it.
                Err(error) if heard.elapsed() > self.options.lease => {
                    self.away = Some(error);
                    return Why::Lost;
                }
                Err(_) => {}
            }
            let (idle, has_begun) = self.turns.idle();
            if !has_begun && idle > self.options.first_progress {
                return Why::NoProgress;
            }
            if idle > self.options.stall {
                return Why::Stalled;
            }
        }
    }
}
