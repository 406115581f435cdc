//! Workers that are killed at any moment: the run comes to the result of an undisturbed one, and nothing that is over is done
//! again.
//!
//! CI kills a few. `WORKFLOW_KILLS=200 cargo test -p tool-std --all-features --test workflow kills -- --nocapture` kills so
//! many, half of them on each database, and prints what came of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tool_std::state::State;
use tool_std::workflow::{NewWorkflow, WorkflowSpace, Workflows};

use crate::databases::{TestDatabase, databases};
use crate::worker_process::WorkerProcess;

/// 50 calls in three stages: 24 look, 24 check, of which some fail in all attempts, and two sum up, one after it has slept.
const SCRIPT: &str = "
    const found = await Promise.all(Array.from({ length: 24 }, (_, at) => agent(`look ${at}.`)));
    const checked = await Promise.all(found.map((finding, at) => agent(`check ${at}: ${finding}`)));
    const sums = await Promise.all([agent(`sum ${checked.filter((check) => check !== null).length}`), agent('slow sum')]);
    return { checked, sums };
";
const PATIENCE: Duration = Duration::from_secs(180);

fn worker(database: &TestDatabase, recording: &Path) -> WorkerProcess {
    WorkerProcess::start(database, &database.folder.path().join("jobs"), recording, &[])
}

/// What the model answers by prompt: looks and checks are handed in, the third of ten checks answers in prose for ever.
fn recording(folder: &Path) -> PathBuf {
    let submit = |prompt: &str, result: &str| {
        let arguments = json!({ "result": result }).to_string();
        json!({ "prompt": prompt, "status": "completed", "output": [
            { "type": "function_call", "call_id": "c1", "name": "submit_result", "arguments": arguments }
        ] })
    };
    let prose = |prompt: &str| {
        json!({ "prompt": prompt, "status": "completed", "output": [
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Well." }] }
        ] })
    };
    let mut lines = Vec::new();
    for at in 0..24 {
        lines.push(submit(&format!("look {at}."), &format!("finding {at}")));
        let check = format!("check {at}: ");
        if at % 10 == 3 {
            lines.extend([prose(&check), prose(&check)]);
        } else {
            lines.push(submit(&check, &format!("checked {at}")));
        }
    }
    let sleep = json!({ "wake_after_ms": 172_800_000, "note": "the owner" }).to_string();
    lines.push(json!({ "prompt": "slow sum", "status": "completed", "output": [
        { "type": "function_call", "call_id": "c0", "name": "sleep", "arguments": sleep }
    ] }));
    lines.extend([submit("slow sum", "slow"), submit("sum 21", "sum of 21")]);
    let path = folder.join("recording.jsonl");
    fs::write(&path, lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")).unwrap();
    path
}

/// A number from 0 to `below`, other each time: when a worker is killed shall not follow the run.
fn random(below: u64) -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish() % below
}

fn expected() -> Value {
    let checked: Vec<Value> =
        (0..24).map(|at| if at % 10 == 3 { Value::Null } else { json!(format!("checked {at}")) }).collect();
    json!({ "checked": checked, "sums": ["sum of 21", "slow"] })
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_are_killed_and_every_run_comes_to_the_same_result() {
    let databases = databases().await;
    let kills: usize = std::env::var("WORKFLOW_KILLS").map_or(4, |kills| kills.parse().unwrap());
    for database in &databases {
        kill_on(database, kills.div_ceil(databases.len())).await;
    }
}

async fn kill_on(database: &TestDatabase, kills: usize) {
    let recording = recording(database.folder.path());
    let state = State::open(&database.place).await.unwrap();
    let space = WorkflowSpace::new(&state, database.folder.path().join("jobs/workflows"));
    let workflows = Workflows::new(&space, "worker-tools", "test");
    let mut workers = [worker(database, &recording), worker(database, &recording)];
    let (mut started, mut asked, mut killed, since) = (Vec::new(), 0, 0, Instant::now());
    let (mut doomed, mut cancelled) = (None, Vec::new());
    while killed < kills {
        while workflows.list(true, None).await.unwrap().workflows.len() < 2 {
            let new = NewWorkflow {
                title: "Stages".to_owned(),
                script: SCRIPT.to_owned(),
                ..NewWorkflow::default()
            };
            asked += 1;
            let id = workflows.start(&format!("c{asked}"), &new).await.unwrap().run_id;
            // Some are cancelled on the way.
            if asked % 5 == 4 { doomed = Some(id) } else { started.push(id) }
        }
        // Any moment of a worker's life, its start included.
        tokio::time::sleep(Duration::from_millis(random(1_500))).await;
        wake(&workflows, &started).await;
        if let Some(id) = doomed.take() {
            workflows.cancel(id).await.unwrap();
            cancelled.push(id);
        }
        let victim = &mut workers[killed % 2];
        std::mem::replace(victim, worker(database, &recording)).kill();
        killed += 1;
    }
    let killing = since.elapsed();
    let until = Instant::now() + PATIENCE;
    while let Some(run) = workflows.list(true, None).await.unwrap().workflows.first() {
        assert!(Instant::now() < until, "{}: {:#}", database.name, adds_up(&workflows, run.run_id).await);
        wake(&workflows, &[run.run_id]).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(workers);
    for id in &started {
        let shown = adds_up(&workflows, *id).await;
        let result = workflows.whole_result(*id).await.unwrap().unwrap_or_default();
        let result: Value = serde_json::from_str(&result).unwrap_or_default();
        assert_eq!(result, expected(), "{}: {shown:#}", database.name);
        assert_eq!((&shown["counts"]["total"], &shown["counts"]["failed"]), (&json!(50), &json!(3)));
        once(database, *id);
    }
    for id in &cancelled {
        let shown = adds_up(&workflows, *id).await;
        assert_ne!(shown["status"], "running");
        assert_eq!(shown["live_tasks"], json!([]), "what is cancelled stays so: {shown:#}");
        once(database, *id);
    }
    println!(
        "{}: {killed} workers killed in {killing:.0?}, {} runs of 50 calls, each with the same result; {} runs cancelled",
        database.name,
        started.len(),
        cancelled.len()
    );
}

/// Says something to the tasks that sleep.
async fn wake(workflows: &Workflows, runs: &[i64]) {
    for run in runs {
        let shown = adds_up(workflows, *run).await;
        for task in shown["live_tasks"].as_array().unwrap().iter().filter(|task| task["status"] == "sleeping")
        {
            // It may be over by now.
            let _ = workflows
                .send(&format!("wake {run}"), *run, task["call_seq"].as_i64().unwrap(), "Go on.")
                .await;
        }
    }
}

async fn adds_up(workflows: &Workflows, id: i64) -> Value {
    let shown = workflows.show(id).await.unwrap();
    let parts = ["queued", "running", "sleeping", "succeeded", "failed", "cancelled"];
    let sum: i64 = parts.iter().map(|part| shown["counts"][part].as_i64().unwrap()).sum();
    assert_eq!(shown["counts"]["total"], sum, "{shown:#}");
    shown
}

/// In the conversations of a run each task hands in one result at most: nothing that is over was asked again.
fn once(database: &TestDatabase, id: i64) {
    for seq in 0..50 {
        let folder = database.folder.path().join(format!("jobs/workflows/{id}/{seq}/turns"));
        let mut accepted = 0;
        // One that was cancelled before it began has none.
        let Ok(turns) = fs::read_dir(folder) else { continue };
        for entry in turns {
            let journal = fs::read_to_string(entry.unwrap().path()).unwrap();
            accepted += journal.matches(r#"\"accepted\":true"#).count();
        }
        assert!(accepted <= 1, "the task {seq} of {id} has handed in {accepted} results");
    }
}
