//! A worker: goes on with runs and runs their tasks, in this process.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::AbortHandle;
use tool_runtime::CancellationToken;

use super::WorkflowEvent;
use super::event::Notify;
use super::kit::{MakeKit, TaskBrief, TaskKit};
use super::replayer::Replayer;
use super::row::{Failure, Task};
use super::space::{RUNS, TASKS, WorkflowSpace};
use super::store::{Beat, Claim, End, Message};
use super::task::{Attempt, Turned};
use crate::state::{QueueOptions, StateError, worker_name};

/// How many tasks a worker runs at a time by default.
pub const TASK_CONCURRENCY: usize = 8;

/// How often a worker says that it still has a task.
const BEAT: Duration = Duration::from_secs(1);
/// How often events are delivered.
const EVENTS: Duration = Duration::from_millis(500);
/// How often the worker wakes tasks, and looks after what no event has moved on.
const SWEEP: Duration = Duration::from_secs(1);
/// How often it tidies the queues.
const TIDY: Duration = Duration::from_secs(60);
/// How long it waits for the database.
const AGAIN: Duration = Duration::from_secs(1);
/// After how long a program is tried again that could not be run, in milliseconds.
const RETRY: i64 = 5_000;
/// How long a turn has after it was cancelled: the grace of its calls, and a little.
const GRACE: Duration = Duration::from_secs(5);

/// Runs the workflows of a [`WorkflowSpace`]. Any number of workers share them, each in a process of its own or not, on one
/// machine or, with PostgreSQL, on several. Their clocks must not differ by more than a part of the [`lease`](Self::lease).
///
/// A task whose worker is gone is taken up by another once the lease is over, and goes on from its journal. A task that is
/// over never runs again.
#[derive(Clone)]
#[must_use]
pub struct WorkflowWorker {
    space: WorkflowSpace,
    make_kit: MakeKit,
    replayer: Replayer,
    concurrency: usize,
    lease: Duration,
    notify: Option<Notify>,
    problem: Arc<dyn Fn(String) + Send + Sync>,
}

impl WorkflowWorker {
    /// A worker of these workflows. `replayer` is where it runs their programs; `kit` makes the model and the tools of each
    /// attempt; its sentence says why it cannot.
    pub fn new<F>(
        space: &WorkflowSpace,
        replayer: Replayer,
        kit: impl Fn(TaskBrief) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<TaskKit, String>> + Send + 'static,
    {
        Self {
            space: space.clone(),
            make_kit: Arc::new(move |brief| Box::pin(kit(brief))),
            replayer,
            concurrency: TASK_CONCURRENCY,
            lease: Duration::from_secs(5),
            notify: None,
            problem: Arc::new(|_| {}),
        }
    }

    /// Sets how many tasks it runs at a time; [`TASK_CONCURRENCY`] by default, at least 1.
    pub fn concurrency(mut self, tasks: usize) -> Self {
        self.concurrency = tasks.max(1);
        self
    }

    /// Sets after how long without a sign a worker is held to be dead; 5 seconds by default, at least 2. It gives one each
    /// second.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease.max(Duration::from_secs(2));
        self
    }

    /// Sets who takes events to their owners. An event comes at least once, also when a worker is killed; equal ones have
    /// equal keys. Without it, events wait for a worker that has one.
    pub fn notify<F>(mut self, notify: impl Fn(WorkflowEvent) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.notify = Some(Arc::new(move |event| Box::pin(notify(event))));
        self
    }

    /// Sets who hears of problems that the worker gets over: a database that was away, an event that could not be delivered.
    pub fn problems(mut self, problem: impl Fn(String) + Send + Sync + 'static) -> Self {
        self.problem = Arc::new(problem);
        self
    }

    /// Works until `stop` fires. Tasks in hand are then cancelled, with the grace of their calls, and given back: another
    /// worker goes on with them, and no attempt is counted.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the tasks at their next `await`. Other workers take them up when the lease is over.
    pub async fn run(self, stop: &CancellationToken) {
        let name = worker_name();
        // The two queues know a worker by its name alone.
        let options = |queue: &str, concurrency| QueueOptions {
            worker: format!("{name}-{queue}"),
            concurrency,
            dead_after: self.lease,
        };
        let (worker, of_runs) = (self.clone(), stop.clone());
        let runs = move |id: String| {
            let (worker, shutdown) = (worker.clone(), of_runs.clone());
            async move {
                if let Err(error) = worker.go_on(&id).await {
                    (worker.problem)(format!("the workflow {id} could not go on now: {error}"));
                    let due = worker.space.state.now() + RETRY;
                    RUNS.put_off(&worker.space.state, &id, due, &*worker.problem, &shutdown).await;
                }
            }
        };
        let (worker, worker_name, shutdown) = (self.clone(), name.clone(), stop.clone());
        let tasks = move |id: String| {
            let (worker, name, shutdown) = (worker.clone(), worker_name.clone(), shutdown.clone());
            async move {
                if let Err(error) = worker.take(&id, &name, &shutdown).await {
                    (worker.problem)(format!("the task {id} was let go: {error}"));
                }
            }
        };
        let (run_options, task_options) =
            (options("runs", self.space.limits.replays), options("tasks", self.concurrency));
        let problem = Arc::clone(&self.problem);
        tokio::join!(
            RUNS.serve(&self.space.state, &run_options, runs, &*problem, stop),
            TASKS.serve(&self.space.state, &task_options, tasks, &*problem, stop),
            self.look_after(stop),
        );
    }

    /// Looks what the program of a run does next.
    async fn go_on(&self, name: &str) -> Result<(), StateError> {
        let Ok(id) = name.parse::<i64>() else { return Ok(()) };
        let Some(found) = self.space.to_replay(id).await? else { return Ok(()) };
        let known = found.known.len();
        let calls = usize::try_from(found.run.agent_calls).unwrap_or_default();
        let limits = self.space.limits.clone();
        let calls = calls.min(limits.agent_calls);
        match self.replayer.replay(&found.program, &found.known, &limits.agent_calls(calls)).await {
            Ok(replay) => self.space.step(&found.run, known, replay).await.map(drop),
            Err(problem) => {
                (self.problem)(format!("the program of the workflow {id} could not run now: {problem}"));
                let mut tx = self.space.state.write().await?;
                RUNS.push(&mut tx, name, Some(self.space.state.now() + RETRY)).await?;
                tx.commit().await
            }
        }
    }

    /// Runs the task of this name, if it is to be run.
    async fn take(&self, name: &str, worker: &str, shutdown: &CancellationToken) -> Result<(), StateError> {
        let Ok(id) = name.parse::<i64>() else { return Ok(()) };
        let space = &self.space;
        let claim = loop {
            match space.claim(id, worker, self.lease_from_now()).await {
                Ok(claim) => break claim,
                Err(error) if shutdown.is_cancelled() => return Err(error),
                Err(error) => {
                    (self.problem)(format!("the task {id} cannot be claimed now: {error}"));
                    tokio::time::sleep(AGAIN).await;
                }
            }
        };
        match claim {
            Claim::Nothing => Ok(()),
            Claim::Held(until) => {
                TASKS.put_off(&space.state, name, until, &*self.problem, shutdown).await;
                Ok(())
            }
            Claim::Taken(task, messages) => {
                let ran = self.run_claimed(*task, messages, shutdown).await;
                if ran.is_err() {
                    // The claim could not be ended; it is over with its lease.
                    TASKS.put_off(&space.state, name, self.lease_from_now(), &*self.problem, shutdown).await;
                }
                ran
            }
        }
    }

    /// Runs a task apart, so that neither work that blocks nor a panic is felt by others.
    async fn run_claimed(
        &self,
        task: Task,
        messages: Vec<Message>,
        shutdown: &CancellationToken,
    ) -> Result<(), StateError> {
        let cancel = CancellationToken::new();
        let (worker, claimed, cancelled) = (self.clone(), task.clone(), cancel.clone());
        let mut running = tokio::spawn(async move {
            let run = worker.space.find(&claimed.agent, claimed.run).await;
            let attempt = Attempt {
                space: &worker.space,
                make_kit: &worker.make_kit,
                task: &claimed,
                profile: run.ok().and_then(|run| run.profile),
                messages: &messages,
                cancel: &cancelled,
            };
            attempt.run().await
        });
        let _stop = StopOnDrop(running.abort_handle());
        let turned = tokio::select! {
            biased;
            turned = &mut running => turned,
            is_lost = self.until_it_must_end(&task, shutdown) => {
                cancel.cancel();
                let turned = tokio::time::timeout(GRACE, &mut running).await;
                running.abort();
                // What is not the worker's any more is nothing to it.
                return match turned {
                    _ if is_lost => Ok(()),
                    Ok(Ok(Turned::Ended)) => Ok(()),
                    _ => self.space.release(&task).await,
                };
            }
        };
        let failure = match turned {
            Ok(Turned::Ended) => return Ok(()),
            Ok(Turned::Cancelled | Turned::FilesHeld) => {
                tokio::time::sleep(AGAIN).await;
                return self.space.release(&task).await;
            }
            Ok(Turned::Failed(failure)) => failure,
            Err(_) => Failure::new("panicked", "the worker panicked while it ran the task"),
        };
        self.space.end(&task, &End::Failed(failure)).await.map(drop)
    }

    /// Renews the lease until the task is lost (true) or the worker shuts down.
    async fn until_it_must_end(&self, task: &Task, shutdown: &CancellationToken) -> bool {
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                () = tokio::time::sleep(BEAT.min(self.lease / 3)) => {}
                () = shutdown.cancelled() => return false,
            }
            match self.space.beat(task, self.lease_from_now()).await {
                Ok(Beat::Held) => heard = Instant::now(),
                Ok(Beat::Lost) => return true,
                // Others may take the task from now on, so this worker must not go on with it.
                Err(_) if heard.elapsed() > self.lease => return true,
                Err(_) => {}
            }
        }
    }

    fn lease_from_now(&self) -> i64 {
        let lease = i64::try_from(self.lease.as_millis()).unwrap_or(i64::MAX);
        self.space.state.now().saturating_add(lease)
    }

    /// Delivers events, wakes tasks, looks after what no event has moved on, tidies up.
    async fn look_after(&self, stop: &CancellationToken) {
        let mut events = tokio::time::interval(EVENTS);
        let mut sweep = tokio::time::interval(SWEEP);
        let mut tidy = tokio::time::interval(TIDY);
        loop {
            let done = tokio::select! {
                () = stop.cancelled() => return,
                _ = events.tick() => self.deliver().await,
                _ = sweep.tick() => self.space.sweep().await,
                _ = tidy.tick() => self.tidy().await,
            };
            if let Err(error) = done {
                (self.problem)(format!("the worker could not look after its workflows: {error}"));
            }
        }
    }

    async fn tidy(&self) -> Result<(), StateError> {
        RUNS.tidy(&self.space.state).await?;
        TASKS.tidy(&self.space.state).await
    }

    async fn deliver(&self) -> Result<(), StateError> {
        let Some(notify) = &self.notify else { return Ok(()) };
        for event in self.space.take_events().await? {
            let (id, key) = (event.id, event.key.clone());
            match notify(event).await {
                Ok(()) => self.space.event_done(id).await?,
                Err(problem) => (self.problem)(format!("`{key}` was not delivered: {problem}")),
            }
        }
        Ok(())
    }
}

impl fmt::Debug for WorkflowWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkflowWorker")
            .field("space", &self.space)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}

/// Stops a task that nobody waits for any more.
struct StopOnDrop(AbortHandle);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}
