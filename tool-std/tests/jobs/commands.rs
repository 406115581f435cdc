//! `worker-tools worker` and `worker-tools jobs`, and the tools through `worker-tools call`.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::databases::{TestDatabase, databases, sqlite};
use crate::world::PATIENCE;

/// Runs the program; gives its exit code and standard output, or what it said.
fn run(database: &TestDatabase, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
    command.args(arguments).arg("--state").arg(&database.place).env_remove("DATABASE_URL");
    command.arg("--job-files").arg(database.folder.path().join("files")).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[track_caller]
fn good(database: &TestDatabase, arguments: &[&str]) -> String {
    let (code, text) = run(database, arguments);
    assert_eq!(code, Some(0), "{text}");
    text
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("no JSON: {text}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_runs_through_call() {
    for database in databases().await {
        let asked = good(&database, &["call", "create_background_job", r#"{"title": "t", "task": "do"}"#]);
        assert_eq!(json_of(&asked), json!({"job_id": 1000, "status": "queued"}), "{}", database.name);
        let again = good(&database, &["call", "create_background_job", r#"{"title": "t", "task": "do"}"#]);
        assert_eq!(json_of(&again)["job_id"], 1001, "each call of the command line is a new one");
        let list = json_of(&good(&database, &["call", "list_background_jobs"]));
        assert_eq!(list["jobs"].as_array().unwrap().len(), 2);
        let details =
            json_of(&good(&database, &["call", "show_background_job_details", r#"{"job_id": 1000}"#]));
        assert_eq!(details["status"], "queued");
        let words = r#"{"job_id": 1000, "message": "hello", "wait_reply": false}"#;
        let sent = good(&database, &["call", "send_message_to_background_job", words]);
        assert_eq!(sent, "Message 1000 is with the job 1000 (queued).\n");
        let (code, refused) = run(&database, &["call", "stop_background_job", r#"{"job_id": 1000}"#]);
        assert_eq!(code, Some(4), "it asks first: {refused}");
        let stopped = good(&database, &["call", "stop_background_job", r#"{"job_id": 1000}"#, "--yes"]);
        assert_eq!(json_of(&stopped)["status"], "stopped");
        let words = r#"{"source_job_id": 1000, "message": "again"}"#;
        let (code, refused) = run(&database, &["call", "respawn_background_job", words]);
        assert_eq!(code, Some(1));
        assert!(refused.contains("never began"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_has_jobs_on_the_command_line() {
    for database in databases().await {
        assert_eq!(good(&database, &["jobs", "create", "First", "do this"]), "1000\n", "{}", database.name);
        assert_eq!(good(&database, &["jobs", "create", "Second", "do that"]), "1001\n");
        let list = good(&database, &["jobs", "list"]);
        assert_eq!(list, "job   status  title\n1001  queued  Second\n1000  queued  First\n");
        assert_eq!(good(&database, &["jobs", "stop", "1001"]), "stopped\n");
        let over = json_of(&good(&database, &["jobs", "list", "--over", "--json"]));
        assert_eq!(over, json!([{"job_id": 1001, "title": "Second", "status": "stopped"}]));
        let (code, said) = run(&database, &["jobs", "show", "1000", "--result"]);
        assert_eq!(
            (code, &*said),
            (Some(2), "worker-tools: the job 1000 has not succeeded, so it has no result\n")
        );
        good(&database, &["jobs", "send", "1000", "and hurry"]);

        let recording = database.folder.path().join("recording.jsonl");
        let answer = |text: &str| {
            let content = json!([{"type": "output_text", "text": text}]);
            json!({"status": "completed", "output": [{"type": "message", "role": "assistant", "content": content}]}).to_string()
        };
        fs::write(&recording, [answer("done"), answer("done again")].join("\n")).unwrap();
        let mut worker = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
        worker
            .args(["worker", "--sandbox", "none", "--state", &database.place, "--recording"])
            .arg(&recording);
        worker.arg("--job-files").arg(database.folder.path().join("files")).stderr(Stdio::null());
        let mut worker = worker.spawn().unwrap();
        let until = |job: &str| {
            let since = Instant::now();
            while json_of(&good(&database, &["jobs", "show", job]))["status"] != "succeeded" {
                assert!(since.elapsed() < PATIENCE);
                std::thread::sleep(Duration::from_millis(100));
            }
            good(&database, &["jobs", "show", job, "--result"])
        };
        assert_eq!(until("1000"), "done\n");
        assert_eq!(good(&database, &["jobs", "respawn", "1000", "once more"]), "1002\n");
        assert_eq!(until("1002"), "done again\n", "the recording goes on where the conversation is");
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
}

#[test]
fn what_is_missing_is_said() {
    let database = sqlite();
    let program = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
        program.env_remove("DATABASE_URL").current_dir(database.folder.path());
        program
    };
    let output = program().args(["jobs", "list"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no state is named; use `--state DIR`"), "{said}");
    let output =
        program().args(["jobs", "list", "--state", "postgres://nobody@127.0.0.1:1/none"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the state database cannot be reached"), "{said}");
    let output = program().args(["call", "list_background_jobs"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "worker-tools: this turn has no `list_background_jobs`: it needs `--state PLACE`\n");
}

#[cfg(unix)]
#[test]
fn a_worker_that_is_asked_to_end_gives_its_jobs_back() {
    let database = sqlite();
    good(&database, &["jobs", "create", "Long", "sleep"]);
    let arguments = json!({"command": "echo began > began.txt; sleep 600"}).to_string();
    let call = json!({"output": [{"type": "function_call", "call_id": "c1", "name": "command", "arguments": arguments}]});
    let recording = database.folder.path().join("recording.jsonl");
    fs::write(&recording, call.to_string()).unwrap();
    let mut worker = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
    worker.args(["worker", "--sandbox", "none", "--state", &database.place, "--recording"]).arg(&recording);
    worker.arg("--job-files").arg(database.folder.path().join("files")).stderr(Stdio::null());
    let mut worker = worker.spawn().unwrap();
    let (since, began) = (Instant::now(), database.folder.path().join("files/1000/workspace/began.txt"));
    while !began.exists() {
        assert!(since.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }
    Command::new("kill").arg(worker.id().to_string()).status().unwrap();
    assert_eq!(worker.wait().unwrap().code(), Some(0));
    let details = json_of(&good(&database, &["jobs", "show", "1000"]));
    assert_eq!(
        (&details["status"], &details["attempt_history"][0]["outcome"]),
        (&json!("running"), &json!("released"))
    );
}
