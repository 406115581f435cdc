//! Processes that fire are killed at random moments: nothing that was due is lost, and what comes again has the same key and a
//! new attempt on record.
//!
//! `KILLS=200 cargo test -p tool-std --test schedule kill -- --nocapture` kills more often and tells what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tool_runtime::{BoxFuture, CancellationToken};
use tool_std::schedule::{EventState, ReplyTarget, Schedules, Wake, WakeError, WakeUp, Zone, schedule_tools};
use tool_std::state::{Clock, State};

use crate::databases::{TestDatabase, databases};
use crate::world::Turn;

/// What tells a process of this test that it is one that fires: the database, the file of deliveries, when the clock began.
const FIRES: [&str; 3] = ["FIRES_IN", "FIRES_TO", "FIRES_SINCE"];
/// How much faster the clock goes than the real one, so that a lease of 30 seconds ends in a second.
const FASTER: u32 = 30;

const RULES: usize = 12;
const CHECK_BACKS: usize = 60;

/// A clock that began at `since` and is in a hurry.
fn hurried(since: SystemTime) -> Clock {
    Clock::of(move || since + since.elapsed().unwrap_or_default() * FASTER)
}

/// Writes each delivery into a file, one line, before it is confirmed.
struct ToFile(PathBuf);

impl Wake for ToFile {
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>> {
        Box::pin(async move {
            let line = format!("{}\n", json!(wake));
            OpenOptions::new().append(true).open(&self.0)?.write_all(line.as_bytes())?;
            // Half of the deliveries take a moment, in which they can be killed.
            if wake.key.ends_with(|digit: char| digit.is_ascii_digit()) {
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            Ok(())
        })
    }
}

/// Not a test by itself: what the killed processes run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_fires() {
    let [Ok(place), Ok(file), Ok(since)] = FIRES.map(std::env::var) else {
        return;
    };
    let since = SystemTime::UNIX_EPOCH + Duration::from_millis(since.parse().unwrap());
    let state = State::open(&place).await.unwrap().with_clock(hurried(since));
    let host: Arc<dyn Wake> = Arc::new(ToFile(file.into()));
    let never = CancellationToken::new();
    Schedules::new(state, "any").fire(&host, 4, &|problem| eprintln!("{problem}"), &never).await;
}

/// A process that fires; killed when it is dropped.
struct Firing(Child);

impl Firing {
    fn start(database: &TestDatabase, file: &Path, since: SystemTime) -> Self {
        let since = since.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis().to_string();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["kill::a_process_that_fires", "--exact", "--nocapture"]);
        for (name, value) in FIRES.iter().zip([database.place.as_str(), file.to_str().unwrap(), &since]) {
            command.env(name, value);
        }
        Self(command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Firing {
    fn drop(&mut self) {
        // SIGKILL.
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

async fn fill(schedules: &Schedules, ticks: u64) {
    let turn = schedules.clone().reply_to(ReplyTarget::new("chat", "room"));
    let turn = Turn(schedule_tools(&turn));
    for number in 0..RULES {
        let rule = json!({
            "action": "add", "name": format!("rule {number}"), "payload": {"task": "t"},
            "schedule": {"every_ms": 20_000 + 1_000 * number, "occurrences": {"count": ticks}},
        });
        turn.cron(rule).await;
    }
    for number in 0..CHECK_BACKS {
        let after = json!({"after": {"value": 10 + 5 * number, "unit": "second"}});
        let later =
            json!({"action": "create", "reason": "r", "check": format!("{number}"), "schedule": after});
        turn.check_back(later).await;
    }
}

fn random(below: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() % below
}

async fn survives(database: &TestDatabase, kills: u64) {
    let since = SystemTime::now();
    let file = database.folder.path().join("deliveries");
    fs::write(&file, "").unwrap();
    let state = State::open(&database.place).await.unwrap().with_clock(hurried(since));
    let schedules = Schedules::new(state, "agent-1").timezone(Zone::utc());
    let ticks = 5 + kills / 4;
    fill(&schedules, ticks).await;

    let mut firing = [Firing::start(database, &file, since), Firing::start(database, &file, since)];
    for _ in 0..kills {
        // At a random moment after something was delivered: a process that never came to fire proves nothing.
        let before = fs::metadata(&file).unwrap().len();
        while fs::metadata(&file).unwrap().len() == before && !is_over(&schedules).await {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(Duration::from_micros(random(20_000))).await;
        let one = usize::try_from(random(2)).unwrap();
        firing[one] = Firing::start(database, &file, since);
    }
    while !is_over(&schedules).await {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(firing);
    check(database, &schedules, &file, ticks, kills).await;
}

async fn is_over(schedules: &Schedules) -> bool {
    let waits = |state| matches!(state, EventState::Scheduled | EventState::Firing);
    schedules.rules().await.unwrap().is_empty()
        && !schedules.check_backs().await.unwrap().iter().any(|one| waits(one.state))
}

async fn check(database: &TestDatabase, schedules: &Schedules, file: &Path, ticks: u64, kills: u64) {
    let mut attempts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut due: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    let text = fs::read_to_string(file).unwrap();
    for line in text.lines() {
        let wake: Value = serde_json::from_str(line).unwrap();
        let key = wake["key"].as_str().unwrap().to_owned();
        attempts.entry(key.clone()).or_default().push(wake["attempt"].as_u64().unwrap());
        let whose = wake["name"].as_str().or(wake["check"].as_str()).unwrap();
        due.entry(whose.to_owned()).or_default().insert((wake["due"].as_str().unwrap().to_owned(), key));
    }
    for (key, attempts) in &attempts {
        let distinct: BTreeSet<_> = attempts.iter().collect();
        assert_eq!(distinct.len(), attempts.len(), "{}: {key} came twice in one attempt", database.name);
    }
    for number in 0..RULES {
        let name = format!("rule {number}");
        let runs = schedules.runs(&name, 1_000).await.unwrap();
        assert!(runs.iter().all(|run| run.state == EventState::Fired), "{}: {runs:?}", database.name);
        assert_eq!(runs.len() as u64, ticks, "{}: {name} was due so often", database.name);
        let delivered = &due[&name];
        assert_eq!(
            delivered.len() as u64,
            ticks,
            "{}: one key for each time that {name} was due",
            database.name
        );
        let times: BTreeSet<_> = delivered.iter().map(|(at, _)| at).collect();
        assert_eq!(times.len() as u64, ticks, "{}: no time of {name} has two keys", database.name);
    }
    let check_backs = schedules.check_backs().await.unwrap();
    assert_eq!(check_backs.len(), CHECK_BACKS);
    assert!(check_backs.iter().all(|one| one.state == EventState::Fired && due[&one.check].len() == 1));
    let repeats = text.lines().count() - attempts.len();
    println!("{}: {kills} kills, {} keys delivered, {repeats} repeats", database.name, attempts.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_nothing_and_repeats_under_the_same_key() {
    let kills = std::env::var("KILLS").map_or(12, |kills| kills.parse().unwrap());
    for database in databases().await {
        survives(&database, kills).await;
    }
}
