//! Replays on threads of their own, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};

use super::limits::WorkflowLimits;
use super::program::{KnownCall, Program, ProgramFailure, Replay};

/// The stack of such a thread: that of the largest limit, with room for the host.
const STACK: usize = 4 << 20;
/// How long after its time a replay is waited for. It ends by itself at its time unless one operation takes longer.
const GRACE: Duration = Duration::from_secs(5);

/// Where programs are replayed.
#[derive(Clone, Debug)]
pub(crate) struct Replays {
    permits: Arc<Semaphore>,
}

impl Replays {
    pub(crate) fn new(limits: &WorkflowLimits) -> Self {
        Self { permits: Arc::new(Semaphore::new(limits.replays.max(1))) }
    }

    /// Replays a program when there is room.
    pub(crate) async fn replay(
        &self,
        program: Program,
        known: Vec<KnownCall>,
        limits: WorkflowLimits,
    ) -> Replay {
        let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else {
            return failed("the worker shuts down");
        };
        let time = limits.replay_time;
        let (send, receive) = oneshot::channel();
        let thread = std::thread::Builder::new().name("workflow replay".to_owned()).stack_size(STACK);
        let spawned = thread.spawn(move || {
            let replay = program.replay(&known, &limits);
            // Held by one that goes on after nobody waits for it, so that there are never more than there may be.
            drop(permit);
            let _ = send.send(replay);
        });
        if let Err(error) = spawned {
            return failed(&format!("there is no thread for the program: {error}"));
        }
        match tokio::time::timeout(time.saturating_add(GRACE), receive).await {
            Ok(Ok(replay)) => replay,
            Ok(Err(_)) => failed("the engine of programs has failed"),
            Err(_) => {
                let seconds = time.as_secs_f64();
                let words = format!(
                    "the program takes longer than {seconds} seconds, in one step that cannot be broken off"
                );
                Replay::Failed(ProgramFailure::new("too_long", words))
            }
        }
    }
}

fn failed(words: &str) -> Replay {
    Replay::Failed(ProgramFailure::new("engine_failed", words))
}
