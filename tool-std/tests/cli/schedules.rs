//! `worker-tools schedules`, the tools of schedules on the command line, and the worker that fires them.

use std::process::Child;

use serde_json::{Value, json};

use crate::program::{command, run};

const ANSWER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/recordings/answer.jsonl");

/// The program on a state in a folder of its own.
struct Cli {
    folder: tempfile::TempDir,
}

impl Cli {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn state(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> crate::program::Ran {
        run(&[arguments, &["--state", self.state()]].concat())
    }

    fn call(&self, tool: &str, arguments: &Value) -> String {
        self.run(&["call", tool, &arguments.to_string()]).good()
    }
}

/// Killed when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn rules_and_check_backs_are_listed_shown_paused_resumed_and_removed() {
    let cli = Cli::new();
    assert_eq!(cli.run(&["schedules", "list", "--json"]).json(), json!({"rules": [], "check_backs": []}));
    let schedule = json!({"expression": "0 9 * * MON-FRI", "timezone": "Europe/Berlin"});
    let rule =
        json!({"action": "add", "name": "report", "schedule": schedule, "payload": {"task": "Write it."}});
    cli.call("cron", &rule);
    let later = json!({
        "action": "create", "reason": "the build runs", "check": "look", "schedule": {"after": {"value": 2, "unit": "hour"}},
    });
    let made = cli.call("check_back_later", &later);
    assert!(made.contains("the build runs"), "{made}");

    let listed = cli.run(&["schedules", "list"]).good();
    let lines: Vec<_> = listed.lines().collect();
    assert!(lines[1].starts_with("report") && lines[1].ends_with("0 9 * * MON-FRI"), "{listed}");
    assert!(lines[2].starts_with("1001") && lines[2].ends_with("the build runs"), "{listed}");
    let id = cli.run(&["schedules", "list", "--json"]).json()["check_backs"][0]["checkback_id"].to_string();

    let shown = cli.run(&["schedules", "show", "report"]).json();
    assert_eq!(
        (&shown["payload"]["task"], &shown["runs"][0]["state"]),
        (&"Write it.".into(), &"scheduled".into())
    );
    assert_eq!(cli.run(&["schedules", "show", &id]).json()["check"], "look");
    assert_eq!(cli.run(&["schedules", "pause", "report"]).good(), "paused\n");
    let resumed = cli.run(&["schedules", "resume", "report"]).good();
    assert!(resumed.starts_with("active, next at 20") && resumed.contains("T09:00:00+0"), "{resumed}");
    assert_eq!(cli.run(&["schedules", "remove", "report"]).good(), "deleted\n");
    assert_eq!(cli.run(&["schedules", "remove", &id]).good(), "cancelled\n");
    let refused = cli.run(&["schedules", "remove", &id]).good();
    assert_eq!(refused, "cancelled\n", "twice is once");
    let refused = cli.run(&["schedules", "pause", "other"]).refused(2);
    assert!(refused.contains("there is no rule `other`; there are none"), "{refused}");
    let refused = run(&["schedules", "list"]).refused(2);
    assert!(refused.contains("no state is named; use `--state DIR`"), "{refused}");
}

#[test]
fn the_worker_makes_a_job_of_what_is_due() {
    let cli = Cli::new();
    let later = json!({
        "action": "create", "reason": "the build runs", "check": "look", "schedule": {"after": {"value": 1, "unit": "second"}},
    });
    cli.call("check_back_later", &later);
    let worker = command(&["worker", "--recording", ANSWER, "--state", cli.state()]).spawn().unwrap();
    let worker = Running(worker);
    let jobs = loop {
        let over = cli.run(&["jobs", "list", "--over", "--json"]).json();
        if over.as_array().is_some_and(|jobs| !jobs.is_empty()) {
            break over;
        }
    };
    drop(worker);
    assert_eq!(
        (&jobs[0]["title"], &jobs[0]["status"]),
        (&"Check back: the build runs".into(), &"succeeded".into())
    );
    assert_eq!(jobs.as_array().unwrap().len(), 1);
    let check_backs = cli.run(&["schedules", "list", "--json"]).json();
    assert_eq!(check_backs["check_backs"][0]["state"], "fired");
}
