//! A worker: goes on with runs and runs their tasks, in this process.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::task::AbortOnDropHandle;
use tool_runtime::CancellationToken;

use super::WorkflowEvent;
use super::kit::{MakeKit, TaskBrief, TaskKit};
use super::replayer::Replayer;
use super::row::{Failure, Task};
use super::space::{RUNS, TASKS, WorkflowSpace};
use super::store::{Beat, Claim, End, Message, OUTBOX};
use super::task::{Attempt, Turned};
use crate::state::{AGAIN, Notify, QueueOptions, StateError, every, until_it_answers, worker_name};

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
    notify: Option<Notify<WorkflowEvent>>,
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
    ///
    /// # Errors
    ///
    /// A sentence about what is away: the database, or what runs programs.
    async fn go_on(&self, name: &str) -> Result<(), String> {
        let away = |error: StateError| error.to_string();
        let Ok(id) = name.parse::<i64>() else { return Ok(()) };
        let Some(found) = self.space.to_replay(id).await.map_err(away)? else { return Ok(()) };
        let known = found.known.len();
        let calls = usize::try_from(found.run.agent_calls).unwrap_or_default();
        let limits = self.space.limits.clone();
        let calls = calls.min(limits.agent_calls);
        let replay = self.replayer.replay(&found.program, &found.known, &limits.agent_calls(calls)).await?;
        self.space.step(&found.run, known, replay).await.map(drop).map_err(away)
    }

    /// Runs the task of this name, if it is to be run.
    async fn take(&self, name: &str, worker: &str, shutdown: &CancellationToken) -> Result<(), StateError> {
        let Ok(id) = name.parse::<i64>() else { return Ok(()) };
        let space = &self.space;
        let away = |error| (self.problem)(format!("the task {id} cannot be claimed now: {error}"));
        let claim =
            until_it_answers(shutdown, away, || space.claim(id, worker, self.lease_from_now())).await?;
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
        // It ends when nobody waits for it any more.
        let mut running = AbortOnDropHandle::new(tokio::spawn(async move {
            // Without its run it would have another model; it is given back and begins anew.
            let Ok(run) = worker.space.find(&claimed.agent, claimed.run).await else {
                return Turned::Cancelled;
            };
            let attempt = Attempt {
                space: &worker.space,
                make_kit: &worker.make_kit,
                task: &claimed,
                profile: run.profile,
                messages: &messages,
                cancel: &cancelled,
            };
            attempt.run().await
        }));
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
        let state = &self.space.state;
        let failed =
            |error| (self.problem)(format!("the worker could not look after its workflows: {error}"));
        let tell = async {
            if let Some(notify) = &self.notify {
                every(EVENTS, stop, failed, || OUTBOX.deliver(state, notify, &*self.problem, stop)).await;
            }
        };
        let sweep = every(SWEEP, stop, failed, || self.space.sweep());
        let tidy = every(TIDY, stop, failed, || self.tidy());
        tokio::join!(tell, sweep, tidy);
    }

    async fn tidy(&self) -> Result<(), StateError> {
        RUNS.tidy(&self.space.state).await?;
        TASKS.tidy(&self.space.state).await
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
