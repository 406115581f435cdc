//! Ten thousand jobs, worked off by workers in processes of their own: rate, latency, memory, and how fast lists and details
//! come meanwhile.
//!
//! `cargo test --release -p tool-std --test jobs load -- --ignored --nocapture`; `LOAD_JOBS=500` for fewer.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tool_std::jobs::{JobSpace, Jobs};
use tool_std::state::State;

use crate::databases::{TestDatabase, databases};

/// How many jobs a worker runs at a time.
const AT_A_TIME: usize = 8;

#[ignore = "takes minutes; prints figures"]
#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_jobs_are_worked_off() {
    let count = std::env::var("LOAD_JOBS").map_or(10_000, |jobs| jobs.parse().unwrap());
    for database in databases().await {
        // Several machines are worth their while only with a database that they share.
        let workers = if database.name == "SQLite" { 1 } else { 2 };
        load(&database, count, workers).await;
    }
}

async fn load(database: &TestDatabase, count: usize, workers: usize) {
    let limit = workers * AT_A_TIME;
    let state = State::open(&database.place).await.unwrap();
    let space = JobSpace::new(&state, database.folder.path().join("files"));
    let space = space.running_per_agent(u32::try_from(limit).unwrap());
    let jobs = Jobs::new(&space, "worker-tools", "load");
    let name = database.name;

    let since = Instant::now();
    let mut ids = Vec::new();
    for number in 0..count {
        ids.push(jobs.create(&format!("c{number}"), "a job", "work", None, None).await.unwrap().job_id);
    }
    println!("{name}: queued {count} jobs, {:.0} a second", rate(count, since.elapsed()));
    look(name, "all queued", &jobs, ids[count / 2]).await;

    let since = Instant::now();
    let mut running: Vec<Child> = (0..workers).map(|_| start(database, limit)).collect();
    let (mut is_half, mut memory) = (false, 0);
    while !jobs.list(true, None).await.unwrap().jobs.is_empty() {
        let middle = jobs.details(ids[count / 2]).await.unwrap();
        if !is_half && middle["status"] == "succeeded" {
            is_half = true;
            look(name, "half worked off", &jobs, ids[count / 2]).await;
        }
        memory = running.iter().map(|worker| peak(worker.id())).max().unwrap_or_default().max(memory);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let worked = since.elapsed();
    println!(
        "{name}: {workers} workers with {AT_A_TIME} at a time worked them off in {worked:.0?}, {:.0} a second; the larger took {memory} KiB",
        rate(count, worked)
    );
    let mut times = Vec::new();
    for id in ids.iter().rev().take(1_000) {
        let details = jobs.details(*id).await.unwrap();
        assert_eq!(details["attempts"], 1, "no worker was held to be dead: {details:#}");
        times.push(details["attempt_history"][0].clone());
    }
    let mut times: Vec<u64> =
        times.iter().map(|attempt| time(attempt, "ended_at") - time(attempt, "started_at")).collect();
    let (median, late) = (at(&mut times, 50), at(&mut times, 99));
    println!("{name}: a job was in hand for {median} ms at the median, {late} ms at the 99th of 100");

    let mut alone = Vec::new();
    for number in 0..20 {
        let since = Instant::now();
        let id = jobs.create(&format!("alone{number}"), "alone", "work", None, None).await.unwrap().job_id;
        while jobs.details(id).await.unwrap()["status"] != "succeeded" {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        alone.push(u64::try_from(since.elapsed().as_millis()).unwrap());
    }
    let (median, most) = (at(&mut alone, 50), at(&mut alone, 100));
    println!("{name}: asked for alone, a job is over after {median} ms at the median, {most} ms at most");
    look(name, "all over", &jobs, ids[0]).await;
    for worker in &mut running {
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
}

/// A worker whose jobs make a plan and say one word.
fn start(database: &TestDatabase, limit: usize) -> Child {
    let plan = json!({"todos": [{"id": "a", "content": "do it"}]}).to_string();
    let call =
        json!({"output": [{"type": "function_call", "call_id": "c1", "name": "todo", "arguments": plan}]});
    let content = json!([{"type": "output_text", "text": "done"}]);
    let last = json!({"output": [{"type": "message", "role": "assistant", "content": content}]});
    let recording = database.folder.path().join("recording.jsonl");
    fs::write(&recording, format!("{call}\n{last}\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
    command.args(["worker", "--sandbox", "none", "--state", &database.place, "--recording"]).arg(&recording);
    command.arg("--job-files").arg(database.folder.path().join("files"));
    command.args(["--concurrency", &AT_A_TIME.to_string(), "--running-jobs", &limit.to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(fs::File::create(database.folder.path().join("log")).unwrap()).spawn().unwrap()
}

/// How long a list and the details of a job take.
async fn look(name: &str, when: &str, jobs: &Jobs, id: i64) {
    let (mut lists, mut shows) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let since = Instant::now();
        jobs.list(true, None).await.unwrap();
        lists.push(u64::try_from(since.elapsed().as_micros()).unwrap());
        let since = Instant::now();
        jobs.details(id).await.unwrap();
        shows.push(u64::try_from(since.elapsed().as_micros()).unwrap());
    }
    let (list, show) = (at(&mut lists, 50), at(&mut shows, 50));
    println!("{name}: {when}, a list takes {list} us, the details of a job {show} us (medians of 50)");
}

fn time(attempt: &Value, key: &str) -> u64 {
    attempt[key].as_u64().unwrap()
}

fn rate(count: usize, time: Duration) -> f64 {
    f64::from(u32::try_from(count).unwrap()) / time.as_secs_f64()
}

fn at(values: &mut [u64], hundredth: usize) -> u64 {
    values.sort_unstable();
    values[(values.len() * hundredth).div_ceil(100).saturating_sub(1)]
}

/// The most memory that a process has held, in KiB; 0 where the system does not tell.
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}
