//! A state database with a clock that the test sets, and a host that remembers what it was told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use jiff::Timestamp;
use serde_json::Value;
use tool_runtime::{BoxFuture, EventKind, PresentationEvent, WorkerAgentTool, testing};
use tool_std::schedule::{ReplyTarget, Schedules, Wake, WakeError, WakeUp, Zone, schedule_tools};
use tool_std::state::{Clock, State};

use crate::databases::{TestDatabase, databases};

/// When every test begins: a Saturday, the day before the clocks of Berlin go forward.
const BEGIN: &str = "2026-03-28T12:00:00Z";

pub(crate) struct World {
    pub(crate) name: &'static str,
    pub(crate) schedules: Schedules,
    pub(crate) host: Arc<Host>,
    now: Arc<AtomicU64>,
    /// Deleted with it.
    _database: TestDatabase,
}

/// One on each database.
pub(crate) async fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for database in databases().await {
        let begin: Timestamp = BEGIN.parse().unwrap();
        let now = Arc::new(AtomicU64::new(begin.as_millisecond().unsigned_abs()));
        let clock = Arc::clone(&now);
        let clock = Clock::of(move || UNIX_EPOCH + Duration::from_millis(clock.load(Ordering::Relaxed)));
        let state = State::open(&database.place).await.unwrap().with_clock(clock);
        let schedules = Schedules::new(state, "agent-1")
            .timezone(Zone::named("Europe/Berlin").unwrap())
            .conversation("talk-1")
            .reply_to(ReplyTarget::new("chat", "room-3").thread("7"))
            .automations(|id| id == "sweep");
        worlds.push(World { name: database.name, schedules, host: Arc::default(), now, _database: database });
    }
    worlds
}

impl World {
    /// Puts the clock forward.
    pub(crate) fn pass(&self, time: Duration) {
        self.now.fetch_add(u64::try_from(time.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// Puts the clock to a time.
    pub(crate) fn at(&self, time: &str) {
        let time: Timestamp = time.parse().unwrap();
        self.now.store(time.as_millisecond().unsigned_abs(), Ordering::Relaxed);
    }

    /// The tools of a turn that answers `event`.
    pub(crate) fn turn(&self, event: &str) -> Turn {
        Turn(schedule_tools(&self.schedules.clone().source_event(event)))
    }

    /// Fires what is due; gives what the host was told.
    pub(crate) async fn fire(&self) -> Vec<WakeUp> {
        let host: Arc<dyn Wake> = Arc::clone(&self.host) as _;
        self.schedules.fire_due(&host).await.unwrap();
        std::mem::take(&mut *self.host.told.lock().unwrap())
    }
}

/// The tools of a turn.
pub(crate) struct Turn(pub(crate) Vec<WorkerAgentTool>);

impl Turn {
    fn tool(&self, name: &str) -> &WorkerAgentTool {
        self.0.iter().find(|tool| tool.spec().name == name).unwrap()
    }

    /// A call that must work: its result, and the receipt that it showed.
    #[track_caller]
    pub(crate) fn call(&self, name: &str, arguments: Value) -> impl Future<Output = (Value, Option<Value>)> {
        let (tool, shown) = (self.tool(name).clone(), arguments.to_string());
        async move {
            let call = testing::call(&tool, arguments).await;
            let result: Value = call.details().unwrap_or_else(|error| panic!("{shown}: {error}"));
            let receipt = call.events.iter().find_map(|event| match event {
                EventKind::Presentation { event: PresentationEvent { kind, payload, .. }, .. } => {
                    assert_eq!(kind, "effect.receipt");
                    Some(payload.clone())
                }
                _ => None,
            });
            (result, receipt)
        }
    }

    /// The result of `check_back_later`.
    pub(crate) async fn check_back(&self, arguments: Value) -> Value {
        let result = self.call("check_back_later", arguments).await.0;
        result.get("checkback").or(result.get("checkbacks")).unwrap().clone()
    }

    /// The result of `cron`.
    pub(crate) async fn cron(&self, arguments: Value) -> Value {
        let result = self.call("cron", arguments).await.0;
        result.as_object().unwrap().values().next().unwrap().clone()
    }

    /// The error of a call that must be refused.
    pub(crate) async fn refused(&self, name: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let call = testing::call(self.tool(name), arguments).await;
        match call.outcome {
            Ok(output) => panic!("{shown} gave {}", output.text()),
            Err(error) => error.to_string(),
        }
    }
}

/// Remembers what it was told, and fails as often as it is said.
#[derive(Default)]
pub(crate) struct Host {
    told: Mutex<Vec<WakeUp>>,
    failures: Mutex<VecDeque<Failure>>,
}

pub(crate) enum Failure {
    Error(&'static str),
    Panic,
}

impl Host {
    pub(crate) fn fail(&self, failures: impl IntoIterator<Item = Failure>) {
        self.failures.lock().unwrap().extend(failures);
    }
}

impl Wake for Host {
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>> {
        Box::pin(async move {
            self.told.lock().unwrap().push(wake.clone());
            let failure = self.failures.lock().unwrap().pop_front();
            match failure {
                None => Ok(()),
                Some(Failure::Error(words)) => Err(words.into()),
                Some(Failure::Panic) => panic!("as asked"),
            }
        })
    }
}
