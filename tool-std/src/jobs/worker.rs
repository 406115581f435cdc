//! A worker: takes jobs from the queue and runs them, in this process.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;
use tool_runtime::CancellationToken;

use super::JobEvent;
use super::job::{Job, JobFailure};
use super::kit::{JobBrief, JobKit, MakeKit};
use super::run::{RunOptions, run};
use super::space::{JobSpace, QUEUE};
use super::store::{Claim, End, OUTBOX};
use crate::state::{Notify, QueueOptions, StateError, every, until_it_answers, worker_name};

/// How many jobs a worker runs at a time by default.
pub const CONCURRENCY: usize = 4;

/// How often events are delivered.
const EVENTS: Duration = Duration::from_millis(500);
/// How often the worker looks after jobs that no event has moved on.
const SWEEP: Duration = Duration::from_secs(5);
/// How often it tidies the queue.
const TIDY: Duration = Duration::from_secs(60);

/// Runs the jobs of a [`JobSpace`]. Any number of workers share them, each in a process of its own or not, on one machine or,
/// with PostgreSQL, on several. Their clocks must not differ by more than a part of the [`lease`](Self::lease).
///
/// A job whose worker is gone is taken up by another once the lease is over, as a new attempt on record, and goes on from its
/// journal: what was answered is not done again; a call that had begun may have had effects, and its result says so to the
/// model.
#[derive(Clone)]
#[must_use]
pub struct JobWorker {
    space: JobSpace,
    make_kit: MakeKit,
    options: RunOptions,
    concurrency: usize,
    notify: Option<Notify<JobEvent>>,
    problem: Arc<dyn Fn(String) + Send + Sync>,
}

impl JobWorker {
    /// A worker of these jobs. `kit` makes the model and the tools of each attempt; its sentence says why it cannot.
    pub fn new<F>(space: &JobSpace, kit: impl Fn(JobBrief) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<JobKit, String>> + Send + 'static,
    {
        Self {
            space: space.clone(),
            make_kit: Arc::new(move |brief| Box::pin(kit(brief))),
            options: RunOptions {
                lease: Duration::from_secs(5),
                stall: Duration::from_secs(3_600),
                first_progress: Duration::from_secs(60),
                retry: Duration::from_secs(2),
            },
            concurrency: CONCURRENCY,
            notify: None,
            problem: Arc::new(|_| {}),
        }
    }

    /// Sets how many jobs it runs at a time; [`CONCURRENCY`] by default, at least 1.
    pub fn concurrency(mut self, jobs: usize) -> Self {
        self.concurrency = jobs.max(1);
        self
    }

    /// Sets after how long without a sign a worker is held to be dead; 5 seconds by default, at least 2. It gives one each
    /// second.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.options.lease = lease.max(Duration::from_secs(2));
        self
    }

    /// Sets how long a job may do nothing (no response, no result); an hour by default. It is then tried again; the third
    /// time it fails.
    pub fn stall(mut self, stall: Duration) -> Self {
        self.options.stall = stall;
        self
    }

    /// Sets how long it may take until a turn has begun; a minute by default. It is then tried again as after a failure.
    pub fn first_progress(mut self, limit: Duration) -> Self {
        self.options.first_progress = limit;
        self
    }

    /// Sets how long a job waits after its first failure; 2 seconds by default, twice as long after each more, at most 5
    /// minutes. The fifth failure ends it.
    pub fn retry(mut self, wait: Duration) -> Self {
        self.options.retry = wait;
        self
    }

    /// Sets who takes events to their owners. An event comes at least once, also when a worker is killed; equal ones have
    /// equal keys. Without it, events wait for a worker that has one.
    pub fn notify<F>(mut self, notify: impl Fn(JobEvent) -> F + Send + Sync + 'static) -> Self
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

    /// Works until `stop` fires. Jobs in hand are then cancelled, with the grace of their calls, and given back: another
    /// worker goes on with them, and no failure is counted.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the jobs at their next `await`. Other workers take them up when the lease is over.
    pub async fn run(self, stop: &CancellationToken) {
        let name = worker_name();
        let options = QueueOptions {
            worker: name.clone(),
            concurrency: self.concurrency,
            dead_after: self.options.lease,
        };
        let (worker, shutdown) = (self.clone(), stop.clone());
        let work = move |id: String| {
            let (worker, name, shutdown) = (worker.clone(), name.clone(), shutdown.clone());
            async move {
                if let Err(error) = worker.take(&id, &name, &shutdown).await {
                    (worker.problem)(format!("the job {id} was let go: {error}"));
                }
            }
        };
        let problem = Arc::clone(&self.problem);
        let serve = QUEUE.serve(&self.space.state, &options, work, &*problem, stop);
        tokio::join!(serve, self.look_after(stop));
    }

    /// Runs the job of this name, if it is to be run.
    async fn take(&self, name: &str, worker: &str, shutdown: &CancellationToken) -> Result<(), StateError> {
        let Ok(id) = name.parse::<i64>() else { return Ok(()) };
        let space = &self.space;
        let lease = i64::try_from(self.options.lease.as_millis()).unwrap_or(i64::MAX);
        let away = |error| (self.problem)(format!("the job {id} cannot be claimed now: {error}"));
        let claim = until_it_answers(shutdown, away, || {
            space.claim(id, worker, space.state.now().saturating_add(lease))
        })
        .await?;
        match claim {
            Claim::Nothing => Ok(()),
            Claim::Held(until) => {
                QUEUE.put_off(&space.state, name, until, &*self.problem, shutdown).await;
                Ok(())
            }
            Claim::Taken(job) => {
                let ran = self.run_claimed(*job, shutdown).await;
                if ran.is_err() {
                    // The claim could not be ended; it is over with its lease.
                    let until = space.state.now().saturating_add(lease);
                    QUEUE.put_off(&space.state, name, until, &*self.problem, shutdown).await;
                }
                ran
            }
        }
    }

    /// Runs a job on a task of its own, so that neither work that blocks nor a panic is felt by others.
    async fn run_claimed(&self, job: Job, shutdown: &CancellationToken) -> Result<(), StateError> {
        let (worker, claimed, shutdown) = (self.clone(), job.clone(), shutdown.clone());
        // It ends when nobody waits for it any more.
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            run(&worker.space, &worker.make_kit, &worker.options, &claimed, &shutdown).await
        }));
        match task.await {
            Ok(ran) => ran,
            Err(_) => {
                let failure = JobFailure::new("panicked", "the worker panicked while it ran the job", true);
                let retry = i64::try_from(self.options.retry.as_millis()).unwrap_or(i64::MAX);
                let due = self.space.state.now().saturating_add(retry);
                self.space.finish(&job, &End::Again(failure, due), None).await.map(drop)
            }
        }
    }

    /// Delivers events, looks after jobs that no event has moved on, tidies up.
    async fn look_after(&self, stop: &CancellationToken) {
        let state = &self.space.state;
        let failed = |error| (self.problem)(format!("the worker could not look after its jobs: {error}"));
        let tell = async {
            if let Some(notify) = &self.notify {
                every(EVENTS, stop, failed, || OUTBOX.deliver(state, notify, &*self.problem, stop)).await;
            }
        };
        let sweep = every(SWEEP, stop, failed, || self.space.sweep());
        let tidy = every(TIDY, stop, failed, || QUEUE.tidy(state));
        tokio::join!(tell, sweep, tidy);
    }
}

impl fmt::Debug for JobWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobWorker")
            .field("space", &self.space)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}
