//! The store against a small model of its states, on random sequences of what can happen.
//!
//! CI runs a few. `WORKFLOW_SEQUENCES=100000 cargo test -p tool-std --all-features --lib workflow -- --nocapture` runs so many
//! and prints what came of them; `WORKFLOW_SEED` begins elsewhere.

mod reference;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use reference::{Chance, Model};

use super::{Asker, Claim, End, Ended, NewRun, Sleep, Stepped};
use crate::state::{Clock, State, args};
use crate::workflow::limits::{MAX_ATTEMPTS, MAX_SLEEPS, WorkflowLimits};
use crate::workflow::program::Replay;
use crate::workflow::row::{Failure, Task};
use crate::workflow::space::WorkflowSpace;
use crate::workflow::status::{RunStatus, TaskStatus};

/// What a program of stages gives: the values of its calls, stage by stage.
const SCRIPT: &str = "
    const all = [];
    for (const [stage, width] of args.widths.entries()) {
        all.push(await Promise.all(Array.from({ length: width }, (_, at) => agent(`${stage}.${at}`, { schema: { type: 'integer' } }))));
    }
    return all;
";
const AGENT: &str = "agent";
const LEASE: i64 = 5_000;

/// One sequence.
struct Sequence<'a> {
    space: &'a WorkflowSpace,
    time: &'a AtomicU64,
    chance: Chance,
    run: i64,
    model: Model,
    /// Claims that a worker holds or has held, to come late.
    held: Vec<Task>,
    said: usize,
    log: Vec<String>,
    counts: &'a mut BTreeMap<&'static str, usize>,
}

impl Sequence<'_> {
    fn now(&self) -> i64 {
        self.space.state.now()
    }

    fn per_agent(&self) -> usize {
        usize::try_from(self.space.limits.running_per_agent).unwrap()
    }

    fn did(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    async fn act(&mut self) {
        match self.chance.below(100) {
            0..=24 => self.claim().await,
            25..=49 => self.submit().await,
            50..=61 => self.fail().await,
            62..=71 => self.sleep().await,
            72..=79 => self.pass_time().await,
            80..=85 => self.say().await,
            86..=96 => self.step().await,
            97 => self.cancel().await,
            98 => self.release().await,
            // A worker is gone: nobody holds what it held, and its claims come never, or late.
            _ => {
                self.did("restart");
                self.log.push("restart".to_owned());
                if self.chance.below(2) == 0 {
                    self.held.clear();
                }
            }
        }
    }

    async fn claim(&mut self) {
        if self.model.tasks.is_empty() {
            return;
        }
        let at = self.chance.below(self.model.tasks.len());
        let id = self.ids().await[at];
        let now = self.now();
        self.log.push(format!("claim {at}"));
        let claim = self.space.claim(id, "worker", now + LEASE).await.unwrap();
        let task = &mut self.model.tasks[at];
        let is_lost = task.status == TaskStatus::Running && task.slot;
        if !task.slot {
            assert!(matches!(claim, Claim::Nothing), "{claim:?}");
        } else if is_lost && task.lease > now {
            assert!(matches!(claim, Claim::Held(until) if until == task.lease), "{claim:?}");
        } else if is_lost && task.losses >= 10 {
            assert!(matches!(claim, Claim::Nothing), "{claim:?}");
            (task.status, task.slot) = (TaskStatus::Failed, false);
            task.attempts += 1;
            self.model.dispatch(now, self.space.limits.running_per_agent as usize);
        } else {
            let Claim::Taken(taken, messages) = claim else { panic!("{claim:?}") };
            task.status = TaskStatus::Running;
            task.claims += 1;
            task.losses += i64::from(is_lost);
            (task.lease, task.wake) = (now + LEASE, None);
            assert!(!task.unread || !messages.is_empty(), "what was said is read");
            task.unread = false;
            self.held.push(*taken);
            self.did("claim");
        }
    }

    /// One of the claims that were ever taken, and whether it is good.
    fn one_held(&mut self) -> Option<(Task, usize, bool)> {
        if self.held.is_empty() {
            return None;
        }
        let at = self.chance.below(self.held.len());
        let task = if self.chance.below(4) == 0 { self.held[at].clone() } else { self.held.swap_remove(at) };
        let seq = usize::try_from(task.seq).unwrap();
        let model = &self.model.tasks[seq];
        let is_good = model.status == TaskStatus::Running && model.claims == task.claims;
        Some((task, seq, is_good))
    }

    async fn end(&mut self, task: &Task, end: End, is_good: bool) -> bool {
        self.log.push(format!("{end:?} of {} under {}", task.seq, task.claims));
        let ended = self.space.end(task, &end).await.unwrap();
        if !is_good {
            assert_eq!(ended, Ended::Lost);
            self.did("late result");
            return false;
        }
        match ended {
            Ended::Done { .. } => true,
            Ended::Refused(_) => {
                assert!(matches!(end, End::Sleeps(_)) && task.sleeps >= MAX_SLEEPS);
                false
            }
            Ended::Lost => panic!("the claim is good"),
        }
    }

    async fn submit(&mut self) {
        let Some((task, at, is_good)) = self.one_held() else { return };
        let value = i64::try_from(self.chance.below(1_000)).unwrap();
        if self.end(&task, End::Succeeded(value.to_string()), is_good).await {
            let task = &mut self.model.tasks[at];
            (task.status, task.slot, task.value) = (TaskStatus::Succeeded, false, Some(value));
            let now = self.now();
            self.model.dispatch(now, self.per_agent());
            self.did("finish");
        }
    }

    async fn fail(&mut self) {
        let Some((task, at, is_good)) = self.one_held() else { return };
        if self.end(&task, End::Failed(Failure::new("model_failed", "no answer")), is_good).await {
            let now = self.now();
            let task = &mut self.model.tasks[at];
            task.attempts += 1;
            task.slot = false;
            if task.attempts >= MAX_ATTEMPTS {
                task.status = TaskStatus::Failed;
            } else {
                task.status = if task.sleeps > 0 { TaskStatus::Sleeping } else { TaskStatus::Queued };
                task.ready = Some(now);
            }
            self.model.dispatch(now, self.per_agent());
            self.did("fail");
        }
    }

    async fn sleep(&mut self) {
        let Some((task, at, is_good)) = self.one_held() else { return };
        let now = self.now();
        let wake_at = now + 60_000;
        let attention = self.chance.below(2) == 0;
        let sleep = Sleep { wake_at, note: "waits".to_owned(), attention };
        if self.end(&task, End::Sleeps(sleep), is_good).await {
            let task = &mut self.model.tasks[at];
            task.sleeps += 1;
            (task.status, task.slot, task.attempts) = (TaskStatus::Sleeping, false, 0);
            (task.ready, task.wake) = if task.unread { (Some(now), None) } else { (None, Some(wake_at)) };
            if attention {
                self.model.attention.insert(now / 3_600_000, ());
            }
            self.model.dispatch(now, self.per_agent());
            self.did("sleep");
        }
    }

    async fn pass_time(&mut self) {
        let step = [1, 1_000, 6_000, 59_000, 61_000][self.chance.below(5)];
        self.time.fetch_add(step, Ordering::Relaxed);
        self.log.push(format!("{step} ms pass"));
        self.space.sweep().await.unwrap();
        let now = self.now();
        for task in &mut self.model.tasks {
            if task.wake.is_some_and(|wake| wake <= now) {
                (task.ready, task.wake) = (Some(now), None);
                *self.counts.entry("wake").or_default() += 1;
            }
            // A slot that nobody works on is handed out again.
            if task.slot && task.lease <= now - 60_000 {
                task.lease = now;
            }
        }
        self.model.dispatch(now, self.per_agent());
    }

    async fn say(&mut self) {
        if self.model.tasks.is_empty() {
            return;
        }
        let at = self.chance.below(self.model.tasks.len());
        self.said += 1;
        self.log.push(format!("say to {at}"));
        let call_id = format!("{}/{}", self.run, self.said);
        let asker = Asker { agent: AGENT, owner: "owner", call_id: &call_id };
        let sent = self.space.send(asker, self.run, i64::try_from(at).unwrap(), "go on").await;
        let now = self.now();
        let task = &mut self.model.tasks[at];
        assert_eq!(sent.is_ok(), task.status.is_live());
        if sent.is_ok() {
            task.unread = true;
            if task.status == TaskStatus::Sleeping && !task.slot && task.ready.is_none() {
                (task.ready, task.wake) = (Some(now), None);
            }
            self.model.dispatch(now, self.per_agent());
            self.did("message");
        }
    }

    async fn step(&mut self) {
        let to_replay = self.space.to_replay(self.run).await.unwrap();
        assert_eq!(to_replay.is_some(), self.model.status.is_live() && !self.model.is_waiting());
        let Some(to_replay) = to_replay else { return };
        self.log.push("the program goes on".to_owned());
        let replay = to_replay.program.replay(&to_replay.known, &self.space.limits);
        let known = to_replay.known.len();
        let stepped = self.space.step(&to_replay.run, known, replay.clone()).await.unwrap();
        assert_eq!(stepped, Stepped::Done);
        if matches!(replay, Replay::Pending { .. }) {
            let again = self.space.step(&to_replay.run, known, replay).await.unwrap();
            assert_eq!(again, Stepped::Stale, "two workers that go on together go on once");
        }
        let now = self.now();
        self.model.step(now, self.per_agent());
        self.did("stage");
    }

    async fn cancel(&mut self) {
        self.log.push("cancel".to_owned());
        let was_live = self.model.status.is_live();
        let run = self.space.cancel(AGENT, self.run).await.unwrap();
        if was_live {
            self.model.over(RunStatus::Cancelled);
            self.did("cancel");
        }
        assert_eq!(run.status, self.model.status);
    }

    async fn release(&mut self) {
        let Some((task, at, is_good)) = self.one_held() else { return };
        self.log.push(format!("release {}", task.seq));
        self.space.release(&task).await.unwrap();
        if is_good {
            let now = self.now();
            let task = &mut self.model.tasks[at];
            task.lease = now;
            task.losses -= 1;
            self.did("release");
        }
    }

    async fn ids(&self) -> Vec<i64> {
        let database = &self.space.state.database;
        let ids = "SELECT id FROM workflow_tasks WHERE run = $1 ORDER BY seq";
        let rows = database.rows(ids, args![self.run]).await.unwrap();
        rows.iter().map(|row| row.int("id").unwrap()).collect()
    }

    /// The database says what the model says.
    async fn compare(&self) {
        let run = self.space.find(AGENT, self.run).await.unwrap();
        assert_eq!(run.status, self.model.status);
        assert_eq!(self.space.result(self.run).await.unwrap(), self.model.result);
        let rows = self
            .space
            .state
            .database
            .rows("SELECT * FROM workflow_tasks WHERE run = $1 ORDER BY seq", args![self.run])
            .await
            .unwrap();
        assert_eq!(rows.len(), self.model.tasks.len());
        for (row, model) in rows.iter().zip(&self.model.tasks) {
            let task = Task::read(row).unwrap();
            let stored = (task.status, row.int("slot").unwrap() == 1, row.optional_int("ready_at").unwrap());
            assert_eq!(stored, (model.status, model.slot, model.ready), "task {}", task.seq);
            let numbers = (task.claims, task.losses, task.attempts, task.sleeps, task.wake_at);
            assert_eq!(
                numbers,
                (model.claims, model.losses, model.attempts, model.sleeps, model.wake),
                "task {}",
                task.seq
            );
            let value = row.optional_text("value").unwrap();
            assert_eq!(value, model.value.map(|value| value.to_string()), "task {}", task.seq);
        }
        let counts = self.space.counts(self.run).await.unwrap();
        let sum = counts.queued
            + counts.running
            + counts.sleeping
            + counts.succeeded
            + counts.failed
            + counts.cancelled;
        assert_eq!((counts.total, sum), (i64::try_from(self.model.tasks.len()).unwrap(), counts.total));
        let events = "SELECT kind, COUNT(*) AS times FROM workflow_events WHERE run = $1 GROUP BY kind";
        for row in self.space.state.database.rows(events, args![self.run]).await.unwrap() {
            let expected = match row.text("kind").unwrap().as_str() {
                "completed" => usize::from(self.model.status == RunStatus::Completed),
                "attention" => self.model.attention.len(),
                other => panic!("an event `{other}`"),
            };
            assert_eq!(usize::try_from(row.int("times").unwrap()).unwrap(), expected);
        }
    }
}

impl Drop for Sequence<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.log.join("\n"));
        }
    }
}

async fn sequence(
    space: &WorkflowSpace,
    time: &AtomicU64,
    seed: u64,
    counts: &mut BTreeMap<&'static str, usize>,
) {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let widths: Vec<usize> = (0..1 + chance.below(3)).map(|_| 1 + chance.below(4)).collect();
    let concurrency = 1 + chance.below(4);
    let args = json!({ "widths": widths }).to_string();
    let new = NewRun {
        title: "Stages",
        script: SCRIPT,
        args: &args,
        profile: None,
        concurrency: u32::try_from(concurrency).unwrap(),
        agent_calls: 100,
    };
    let call_id = format!("run {seed}");
    let asker = Asker { agent: AGENT, owner: "owner", call_id: &call_id };
    let run = space.create(asker, &new).await.unwrap().id;
    assert_eq!(
        space.create(asker, &new).await.unwrap().id,
        run,
        "an asking that comes again makes nothing new"
    );
    let model = Model {
        status: RunStatus::Running,
        widths,
        concurrency,
        stages: 0,
        tasks: Vec::new(),
        result: None,
        attention: BTreeMap::new(),
    };
    let mut sequence =
        Sequence { space, time, chance, run, model, held: Vec::new(), said: 0, log: Vec::new(), counts };
    let acts = 20 + sequence.chance.below(60);
    for _ in 0..acts {
        let before = sequence.log.len();
        sequence.act().await;
        // What asked nothing of the database changed nothing in it.
        if sequence.log.len() > before {
            sequence.compare().await;
        }
    }
    let ended = sequence.model.status.as_str();
    sequence.did(ended);
}

#[test]
fn the_store_does_what_its_states_say() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (sequences, first) =
        (number("WORKFLOW_SEQUENCES").unwrap_or(150), number("WORKFLOW_SEED").unwrap_or(1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut counts = BTreeMap::new();
    runtime.block_on(async {
        let time = Arc::new(AtomicU64::new(1_796_000_000_000));
        let clock = Arc::clone(&time);
        let clock = Clock::of(move || UNIX_EPOCH + Duration::from_millis(clock.load(Ordering::Relaxed)));
        let state = State::in_memory().await.unwrap().with_clock(clock);
        let space = WorkflowSpace::new(&state, "unused").limits(WorkflowLimits::new());
        for seed in first..first + sequences {
            let space = space
                .clone()
                .limits(WorkflowLimits::new().running_per_agent(1 + u32::try_from(seed % 4).unwrap()));
            // A failure names its sequence.
            eprintln_on_panic(seed, sequence(&space, &time, seed, &mut counts)).await;
            for table in [
                "DELETE FROM workflow_tasks",
                "DELETE FROM workflow_runs",
                "DELETE FROM workflow_messages",
                "DELETE FROM workflow_events",
                "DELETE FROM Jobs",
            ] {
                state.database.run(table, args![]).await.unwrap();
            }
        }
    });
    println!("{sequences} sequences from {first}: {counts:?}");
    for what in
        ["claim", "finish", "fail", "late result", "sleep", "wake", "message", "stage", "cancel", "restart"]
    {
        assert!(counts.contains_key(what), "`{what}` never happened");
    }
}

/// Says which sequence broke.
async fn eprintln_on_panic(seed: u64, sequence: impl Future<Output = ()>) {
    struct Names(u64);
    impl Drop for Names {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("in the sequence WORKFLOW_SEED={} WORKFLOW_SEQUENCES=1", self.0);
            }
        }
    }
    let _names = Names(seed);
    sequence.await;
}
