//! Names of work that workers take one by one: `apalis` on the tables beside ours.
//!
//! The queue only says that there is something to do, at least once. What is to be done, and whether it still is, stands in
//! our own tables, so that a name that comes twice, late or from a dead worker does no harm.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use apalis::prelude::{
    BackendExt as _, BoxDynError, TaskBuilder, WorkerBuilder, WorkerBuilderExt as _, WorkerContext,
};
use apalis_postgres::PostgresStorage;
use apalis_sqlite::SqliteStorage;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tool_runtime::{BoxFuture, CancellationToken};

use super::{AGAIN, Database, State, StateError, Tx, args, until_it_answers};

/// How often a worker that has room looks for work. Both databases answer such a question in a millisecond.
const POLL: Duration = Duration::from_millis(250);
/// How often a worker says that it lives.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long names that were worked off are kept.
const KEPT: Duration = Duration::from_secs(600);
/// How long a worker that is not seen any more is remembered.
const REMEMBERED: Duration = Duration::from_secs(24 * 3600);

/// A queue of the state database.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    name: &'static str,
}

/// How a worker works.
#[derive(Clone, Debug)]
pub(crate) struct QueueOptions {
    /// What it is called; two that live must not have one name.
    pub(crate) worker: String,
    /// How many names it has in hand at a time.
    pub(crate) concurrency: usize,
    /// After how long a worker that does not say that it lives is held to be dead.
    pub(crate) dead_after: Duration,
}

impl Queue {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name }
    }

    /// Puts a name into the queue, together with what else the transaction does. It is handed out at `due` (milliseconds
    /// since 1970; to the second, never before) or at once.
    pub(crate) async fn push(&self, tx: &mut Tx, name: &str, due: Option<i64>) -> Result<(), StateError> {
        let broken = |error: &dyn std::error::Error| {
            StateError::unreadable(format!("the queue refused a name: {error}"))
        };
        let payload = serde_json::to_vec(name).map_err(|error| broken(&error))?;
        let mut task = TaskBuilder::new(payload);
        if let Some(due) = due.and_then(|due| u64::try_from(due).ok()) {
            task = task.run_at_timestamp(due.div_ceil(1_000));
        }
        match tx {
            Tx::Sqlite(tx) => {
                let pushed = apalis_sqlite::queries::push_tasks(&mut **tx, self.name, &[task.build()]).await;
                pushed.map_err(|error| broken(&error))
            }
            Tx::Postgres(tx) => {
                let pushed =
                    apalis_postgres::queries::push_tasks(&mut **tx, self.name, vec![task.build()]).await;
                pushed.map_err(|error| broken(&error))
            }
        }
    }

    /// Puts a name back that was handed out, to come again at `due`. The queue knows only what it is told, so this goes on until
    /// the database has it, or `stop` fires.
    pub(crate) async fn put_off(
        &self,
        state: &State,
        name: &str,
        due: i64,
        problem: &(dyn Fn(String) + Send + Sync),
        stop: &CancellationToken,
    ) {
        let away = |error| problem(format!("{name} cannot be put back into `{}` now: {error}", self.name));
        // The error that is left when `stop` has fired was told.
        let _ = until_it_answers(stop, away, || self.push_one(state, name, due)).await;
    }

    async fn push_one(&self, state: &State, name: &str, due: i64) -> Result<(), StateError> {
        let mut tx = state.write().await?;
        self.push(&mut tx, name, Some(due.max(state.now()) + 1)).await?;
        tx.commit().await
    }

    /// Hands names to `work` until `stop` fires, and waits then for those in hand. Errors of the database go to `problem`;
    /// the worker comes back after a moment.
    pub(crate) async fn serve<W, F>(
        &self,
        state: &State,
        options: &QueueOptions,
        work: W,
        problem: &(dyn Fn(String) + Send + Sync),
        stop: &CancellationToken,
    ) where
        W: Fn(String) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut times = 0_u64;
        while !stop.is_cancelled() {
            times += 1;
            // The name of one that broke off still holds what it had in hand.
            let worker = format!("{}-{times}", options.worker);
            if let Err(error) = self.serve_once(state, options, &worker, work.clone(), stop).await {
                problem(format!("the worker lost its database and comes back: {error}"));
                tokio::select! {
                    () = tokio::time::sleep(AGAIN) => {}
                    () = stop.cancelled() => {}
                }
            }
        }
    }

    async fn serve_once<W, F>(
        &self,
        state: &State,
        options: &QueueOptions,
        worker: &str,
        work: W,
        stop: &CancellationToken,
    ) -> Result<(), String>
    where
        W: Fn(String) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let hands = Hands::default();
        let missed = options.dead_after.as_secs().div_ceil(HEARTBEAT.as_secs()).max(2);
        let missed = usize::try_from(missed).unwrap_or(usize::MAX);
        // The two backends have equal builders of unlike types. One name is fetched at a time, so that none waits in the
        // hands of a worker that has no room while another has.
        macro_rules! serve {
            ($storage:expr, $config:expr) => {{
                let config = $config
                    .queue(self.name)
                    .batch_size(1)
                    .heartbeat_interval(HEARTBEAT)
                    .missed_heartbeats(missed)
                    .lock_tasks(false);
                let context = WorkerContext::new(worker);
                let in_hand = hands.clone();
                let worker = WorkerBuilder::new(context)
                    .backend($storage.with_config(config).poll_with_interval(POLL))
                    .concurrency(options.concurrency.max(1))
                    .build(move |name: String| {
                        let done = in_hand.take(work(name));
                        async move {
                            // One that panicked is over too.
                            let _ = done.await;
                            Ok::<(), BoxDynError>(())
                        }
                    });
                // Boxed here, where its types are known, since it is not known to be `Send` within another future.
                let running: BoxFuture<'static, _> = Box::pin(worker.run());
                tokio::select! {
                    ran = running => return ran.map_err(|error| error.to_string()),
                    () = stop.cancelled() => {}
                }
            }};
        }
        match &state.database {
            Database::Sqlite(pool) => {
                serve!(SqliteStorage::<String>::new(pool), apalis_sqlite::Config::default())
            }
            Database::Postgres(pool) => {
                serve!(PostgresStorage::<String>::new(pool), apalis_postgres::Config::default())
            }
        }
        // The queue is gone by now, and with it whatever it was about to do: while it waits it would hold the database. What is
        // in hand goes on without it. Its names are not taken off, so they come again.
        hands.finish().await;
        Ok(())
    }

    /// Forgets what was worked off, and workers that are gone, so that the tables do not grow.
    pub(crate) async fn tidy(&self, state: &State) -> Result<(), StateError> {
        let seconds = state.now() / 1_000;
        let ago = |time: Duration| seconds.saturating_sub(i64::try_from(time.as_secs()).unwrap_or(i64::MAX));
        let (tasks, workers) = match &state.database {
            Database::Sqlite(_) => (
                "DELETE FROM Jobs WHERE job_type = $1 AND status = 'Done' AND done_at < $2",
                "DELETE FROM Workers WHERE worker_type = $1 AND last_seen < $2
                 AND id NOT IN (SELECT lock_by FROM Jobs WHERE lock_by IS NOT NULL)",
            ),
            Database::Postgres(_) => (
                "DELETE FROM apalis.jobs WHERE job_type = $1 AND status = 'Done' AND done_at < to_timestamp($2::bigint)",
                "DELETE FROM apalis.workers WHERE worker_type = $1 AND last_seen < to_timestamp($2::bigint)
                 AND id NOT IN (SELECT lock_by FROM apalis.jobs WHERE lock_by IS NOT NULL)",
            ),
        };
        state.database.run(tasks, args![self.name, ago(KEPT)]).await?;
        state.database.run(workers, args![self.name, ago(REMEMBERED)]).await?;
        Ok(())
    }
}

/// What a worker has in hand. It is broken off when the last of the clones is gone.
#[derive(Clone, Default)]
struct Hands {
    tasks: Arc<Mutex<JoinSet<()>>>,
}

impl Hands {
    /// Does it on a task of its own; gives what tells that it is over.
    fn take(&self, work: impl Future<Output = ()> + Send + 'static) -> oneshot::Receiver<()> {
        let (over, done) = oneshot::channel();
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // What is over is forgotten.
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            work.await;
            let _ = over.send(());
        });
        done
    }

    /// Waits until all of it is over.
    async fn finish(&self) {
        let mut tasks = mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        while tasks.join_next().await.is_some() {}
    }
}

/// A name for a worker that no other has.
pub(crate) fn worker_name() -> String {
    use std::hash::{BuildHasher as _, Hasher as _};
    let random = std::hash::RandomState::new().build_hasher().finish();
    format!("{}-{random:016x}", std::process::id())
}
