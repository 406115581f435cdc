//! Workers that are killed at any moment: nothing is lost, nothing is done twice in silence.
//!
//! CI kills a few. `JOB_KILLS=200 cargo test -p tool-std --test jobs kills -- --nocapture` kills so many, half of them on each
//! database, and prints what came of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};
use tool_std::jobs::{JobSpace, JobStatus, Jobs};
use tool_std::state::State;

use crate::databases::{TestDatabase, databases};
use crate::worker_process::WorkerProcess;
use crate::world::PATIENCE;

/// How many jobs are live at a time.
const LIVE: usize = 8;

/// A worker that runs half of the live jobs.
fn worker(database: &TestDatabase, recording: &Path) -> WorkerProcess {
    let more = ["--concurrency", "4", "--running-jobs", "8"];
    WorkerProcess::start(database, &files(database), recording, &more)
}

fn files(database: &TestDatabase) -> std::path::PathBuf {
    database.folder.path().join("files")
}

/// Three rounds, then the last word: two commands that say that they were here and take a while, then a patch that makes a
/// file whole or not at all.
fn recording(folder: &Path, pause: &str) -> std::path::PathBuf {
    let call = |id: &str, file: &str| {
        let arguments = json!({ "command": format!("echo $$ >> {file}; sleep {pause}") }).to_string();
        json!({"status": "completed", "output": [
            {"type": "function_call", "call_id": id, "name": "command", "arguments": arguments}
        ]})
    };
    let patch = "*** Begin Patch\n*** Add File: whole.txt\n+one\n+two\n+three\n*** End Patch\n";
    let patch = json!({"status": "completed", "output": [
        {"type": "custom_tool_call", "call_id": "c3", "name": "apply_patch", "input": patch}
    ]});
    let last = json!({"status": "completed", "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "all done"}]}
    ]});
    let lines = [call("c1", "first.txt"), call("c2", "second.txt"), patch, last];
    let path = folder.join("recording.jsonl");
    fs::write(&path, lines.map(|line| line.to_string()).join("\n")).unwrap();
    path
}

/// A number from 0 to `below`, other each time: when a worker is killed shall not follow the jobs.
fn random(below: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() % below
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_are_killed_and_every_job_comes_to_its_end_once() {
    let databases = databases().await;
    let kills: usize = std::env::var("JOB_KILLS").map_or(6, |kills| kills.parse().unwrap());
    for database in &databases {
        kill_on(database, kills.div_ceil(databases.len())).await;
    }
}

async fn kill_on(database: &TestDatabase, kills: usize) {
    let recording = recording(database.folder.path(), "0.1");
    let state = State::open(&database.place).await.unwrap();
    let space = JobSpace::new(&state, files(database)).running_per_agent(8);
    let jobs = Jobs::new(&space, "worker-tools", "test");
    let mut workers = [worker(database, &recording), worker(database, &recording)];
    let (mut asked, since) = (Vec::new(), Instant::now());
    for number in 0..kills {
        while jobs.list(true, None).await.unwrap().jobs.len() < LIVE {
            let call = format!("c{}", asked.len());
            asked.push(
                jobs.create(&call, &format!("job {}", asked.len()), "work", None, None).await.unwrap().job_id,
            );
        }
        // Any moment of a worker's life, its start included.
        tokio::time::sleep(Duration::from_millis(random(1_500))).await;
        let victim = &mut workers[number % 2];
        std::mem::replace(victim, worker(database, &recording)).kill();
    }
    let killing = since.elapsed();
    // The living finish the rest.
    let until = Instant::now() + PATIENCE * 2;
    while let Some(job) = jobs.list(true, None).await.unwrap().jobs.first() {
        assert!(
            Instant::now() < until,
            "{}: the job stays: {:#}",
            database.name,
            jobs.details(job.job_id).await.unwrap()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(workers);

    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    let mut again = 0;
    for id in &asked {
        let details = jobs.details(*id).await.unwrap();
        check(database, *id, &details);
        for attempt in details["attempt_history"].as_array().unwrap() {
            *outcomes.entry(attempt["outcome"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        again += usize::from(details["attempts"].as_i64() > Some(1));
    }
    println!(
        "{}: {kills} workers killed in {killing:.0?}, {} jobs, all succeeded, {again} of them taken up again; attempts: {outcomes:?}",
        database.name,
        asked.len()
    );
    let succeeded = jobs_over(&jobs).await;
    assert_eq!(succeeded, asked.len(), "no job is lost");
}

async fn jobs_over(jobs: &Jobs) -> usize {
    let (mut count, mut page) = (0, None);
    loop {
        let next = jobs.list(false, page.as_deref()).await.unwrap();
        count += next.jobs.iter().filter(|job| job.status == JobStatus::Succeeded).count();
        page = next.next_page;
        if page.is_none() {
            return count;
        }
    }
}

/// A job that is over is as it must be, on record and on the disk.
fn check(database: &TestDatabase, id: i64, details: &Value) {
    assert_eq!(details["status"], "succeeded", "{}: {details:#}", database.name);
    let attempts = details["attempt_history"].as_array().unwrap();
    assert_eq!(details["attempts"].as_u64(), Some(attempts.len() as u64), "{details:#}");
    let (last, earlier) = attempts.split_last().unwrap();
    assert_eq!(last["outcome"], "succeeded", "{details:#}");
    // `released`: a machine with too much to do let a worker be held for dead that still had the files.
    assert!(
        earlier.iter().all(|attempt| attempt["outcome"] == "lost" || attempt["outcome"] == "released"),
        "no attempt failed: {details:#}"
    );

    let folder = files(database).join(id.to_string());
    // A command that was begun twice was begun by two attempts. One that was answered is not run again.
    for name in ["first.txt", "second.txt"] {
        let runs = fs::read_to_string(folder.join("workspace").join(name)).unwrap_or_default();
        let runs = runs.lines().count();
        assert!(runs <= attempts.len(), "{name} was written {runs} times in {} attempts", attempts.len());
    }
    if attempts.len() == 1 {
        let runs = fs::read_to_string(folder.join("workspace/first.txt")).unwrap();
        assert_eq!(runs.lines().count(), 1);
        assert_eq!(fs::read_to_string(folder.join("workspace/second.txt")).unwrap().lines().count(), 1);
    }
    // The patch was made whole, or its worker was killed before it.
    if let Ok(patched) = fs::read_to_string(folder.join("workspace/whole.txt")) {
        assert_eq!(patched, "one\ntwo\nthree\n");
    }
    let journal = fs::read_to_string(folder.join("turns/0001.jsonl")).unwrap();
    assert!(journal.ends_with('\n'));
    let mut started = BTreeMap::<String, usize>::new();
    for line in journal.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        if let Some(call) = entry["started"]["call_id"].as_str() {
            *started.entry(call.to_owned()).or_default() += 1;
        }
    }
    assert!(started.values().all(|times| *times == 1), "a call is started once: {started:?}");
}

/// Stops a worker at a moment at which it does not hold the database, where that can be seen from outside.
async fn freeze(database: &TestDatabase, signal: &impl Fn(&str)) {
    loop {
        signal("-STOP");
        if is_free(database).await {
            return;
        }
        signal("-CONT");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn is_free(database: &TestDatabase) -> bool {
    let file = Path::new(&database.place).join("state.sqlite");
    if !file.exists() {
        return true;
    }
    let options = SqliteConnectOptions::new().filename(file).busy_timeout(Duration::from_millis(200));
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let is_free = sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.is_ok();
    connection.close().await.unwrap();
    is_free
}

/// A worker that stands still is held to be dead, and does no harm when it goes on.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_stood_still_has_lost_its_job_and_changes_nothing() {
    for database in databases().await {
        let recording = recording(database.folder.path(), "5");
        let state = State::open(&database.place).await.unwrap();
        let space = JobSpace::new(&state, files(&database)).running_per_agent(8);
        let jobs = Jobs::new(&space, "worker-tools", "test");
        let frozen = worker(&database, &recording);
        let signal = |signal: &str| {
            let status = Command::new("kill").args([signal, &frozen.0.id().to_string()]).status().unwrap();
            assert!(status.success());
        };
        let id = jobs.create("c1", "frozen", "work", None, None).await.unwrap().job_id;
        let details = |wanted: fn(&Value) -> bool| {
            let jobs = &jobs;
            async move {
                let since = Instant::now();
                loop {
                    let details = jobs.details(id).await.unwrap();
                    if wanted(&details) {
                        return details;
                    }
                    assert!(since.elapsed() < PATIENCE, "the job stays {details:#}");
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        };
        // Its command runs, for longer than the others need to hold it for dead.
        let began = files(&database).join(id.to_string()).join("workspace/first.txt");
        let since = Instant::now();
        while !began.exists() {
            assert!(since.elapsed() < PATIENCE);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        freeze(&database, &signal).await;
        let second = worker(&database, &recording);
        // The other one takes the job; the files are still held by the one that stands still.
        let mut stopped = Instant::now();
        while !jobs.details(id).await.is_ok_and(|details| details["attempts"].as_i64() > Some(1)) {
            assert!(since.elapsed() < PATIENCE);
            // One that was stopped within a transaction holds the database, and has to end it first.
            if stopped.elapsed() > Duration::from_secs(15) {
                signal("-CONT");
                tokio::time::sleep(Duration::from_millis(50)).await;
                freeze(&database, &signal).await;
                stopped = Instant::now();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        signal("-CONT");
        let details = details(|details| details["status"] == "succeeded").await;
        let outcomes: Vec<_> = details["attempt_history"]
            .as_array()
            .unwrap()
            .iter()
            .map(|attempt| attempt["outcome"].clone())
            .collect();
        let (last, earlier) = outcomes.split_last().unwrap();
        assert_eq!(
            (&outcomes[0], last),
            (&json!("lost"), &json!("succeeded")),
            "{}: {details:#}",
            database.name
        );
        assert!(
            earlier[1..].iter().all(|outcome| outcome == "released" || outcome == "lost"),
            "none of them failed while it waited for the files: {details:#}"
        );
        let folder = files(&database).join(id.to_string());
        let runs = fs::read_to_string(folder.join("workspace/first.txt")).unwrap_or_default();
        assert!(runs.lines().count() <= outcomes.len());
        for line in fs::read_to_string(folder.join("turns/0001.jsonl")).unwrap().lines() {
            serde_json::from_str::<Value>(line).unwrap();
        }
        drop((frozen, second));
    }
}
