//! Which sandbox a command gets, and what it is told about it.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::sync::Arc;

use serde_json::json;
use tool_std::computer::sandbox::{
    Confinement, Network, NetworkReach, Sandbox, SandboxChoice, SandboxLevel, SandboxReport,
};

use crate::stage::{Stage, again, enclosing, is_root, sandboxes};

#[tokio::test]
async fn details_say_what_enclosed_the_command() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("true").await;
        let level = ran.details["sandbox"]["level"].as_str().unwrap();
        assert!(level.starts_with(stage.level), "{level}");
        assert_eq!(ran.details["sandbox"]["network"], "open");
        assert!(ran.details["sandbox"]["process_limit"]["by"].is_string());
    }
}

#[tokio::test]
async fn nothing_runs_unenclosed_unless_that_was_chosen() {
    let stage = Stage::new(SandboxChoice::default(), |builder| builder);
    match stage.computer.open_sandbox() {
        Ok(report) => {
            assert_ne!(report.level, SandboxLevel::None);
            assert_eq!(stage.run("true").await.details["sandbox"], {
                let mut details = serde_json::to_value(report).unwrap();
                details["process_limit"] =
                    stage.run("true").await.details["sandbox"]["process_limit"].clone();
                details
            });
        }
        Err(error) => {
            assert!(error.to_string().contains("apt-get install bubblewrap"), "{error}");
            let call = stage.call(json!({"command": "true"})).await;
            assert!(call.model_text.contains(&error.to_string()), "{}", call.model_text);
        }
    }
}

#[tokio::test]
async fn a_closed_network_reaches_nothing() {
    for choice in enclosing() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let connect =
            format!("(exec 3<>/dev/tcp/127.0.0.1/{}) && echo reached", listener.local_addr().unwrap().port());
        let open = Stage::new(choice.clone(), |builder| builder);
        assert_eq!(open.run(&connect).await.output(), "reached", "{}", open.level);
        let closed = Stage::new(choice, |builder| builder.network(Network::Closed));
        let ran = closed.run(&connect).await;
        assert!(!ran.output().contains("reached"), "{}: {}", closed.level, ran.text);
        let says = if closed.level == "bubblewrap" { "closed" } else { "no_tcp" };
        assert_eq!(ran.details["sandbox"]["network"], says);
    }
}

#[tokio::test]
async fn home_and_workspace_are_written_and_folders_for_reading_are_not() {
    for choice in enclosing() {
        let (home, readable) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(readable.path().join("file"), "readable").unwrap();
        let stage = Stage::new(choice, |builder| builder.home(home.path()).readable(readable.path()));
        let other = readable.path().display();
        let ran =
            stage.run(&format!("echo 1 > a && echo 2 > ~/b && cat {other}/file; echo 3 > {other}/c")).await;
        assert!(ran.output().starts_with("readable"), "{}: {}", stage.level, ran.text);
        assert_eq!(ran.code(), 1);
        assert_eq!(fs::read_to_string(stage.folder.path().join("a")).unwrap(), "1\n");
        assert_eq!(fs::read_to_string(home.path().join("b")).unwrap(), "2\n");
        assert_eq!(fs::read_dir(readable.path()).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn temporary_files_are_of_the_command_alone() {
    for choice in enclosing() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("file=$(mktemp) && echo x > $file && cat $file && echo $file").await;
        let file = ran.output().strip_prefix("x\n").unwrap();
        assert!(!fs::exists(file).unwrap(), "{}: {file}", stage.level);
        assert_ne!(stage.run(&format!("cat {file}")).await.code(), 0, "{}: {file}", stage.level);
    }
}

#[tokio::test]
async fn the_whole_tree_is_given_to_no_command() {
    for choice in enclosing() {
        let stage = Stage::new(choice, |builder| builder.home("/"));
        let call = stage.call(json!({"command": "cat /etc/shadow"})).await;
        assert!(
            call.model_text.contains("the folder `/` cannot be given to commands"),
            "{}",
            call.model_text
        );
    }
}

/// One that notes what it was given, with `env` as its program.
#[derive(Debug)]
struct Polite;

impl Sandbox for Polite {
    fn report(&self) -> SandboxReport {
        SandboxReport::new(SandboxLevel::Custom, NetworkReach::Open)
    }

    fn wrapper(&self, within: &Confinement) -> Vec<OsString> {
        assert!(within.writable.contains(&within.workdir));
        ["env", "FROM_WRAPPER=seen"].map(OsString::from).to_vec()
    }
}

#[tokio::test]
async fn a_host_can_bring_its_own() {
    let stage = Stage::new(SandboxChoice::Custom(Arc::new(Polite)), |builder| builder);
    let ran = stage.run("echo $FROM_WRAPPER").await;
    assert_eq!((ran.output(), &ran.details["sandbox"]["level"]), ("seen", &json!("custom")));
}

/// One whose program ends before the command begins.
#[derive(Debug)]
struct Broken;

impl Sandbox for Broken {
    fn report(&self) -> SandboxReport {
        SandboxReport::new(SandboxLevel::Custom, NetworkReach::Open)
    }

    fn wrapper(&self, _: &Confinement) -> Vec<OsString> {
        ["/bin/sh", "-c", "echo cannot do that >&2; exit 3"].map(OsString::from).to_vec()
    }
}

#[tokio::test]
async fn a_sandbox_that_fails_is_no_result_of_the_command() {
    let stage = Stage::new(SandboxChoice::Custom(Arc::new(Broken)), |builder| builder);
    let call = stage.call(json!({"command": "true"})).await;
    assert_eq!(call.text(), "the sandbox ended before the command began: cannot do that");
}

/// Containers often hide parts of `/proc`; the kernel then refuses a fresh one.
#[test]
fn where_no_proc_can_be_mounted_the_hosts_is_shared_and_harmless() {
    const INSIDE: &str = "TEST_SHARED_PROC";
    if std::env::var_os(INSIDE).is_none() {
        if is_root() && !enclosing().is_empty() {
            let hidden = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc/bus && exec \"$@\"", "sh"];
            again(
                &hidden,
                &["sandboxes::where_no_proc_can_be_mounted_the_hosts_is_shared_and_harmless"],
                Some(INSIDE),
            );
        } else {
            eprintln!("not tested, since only root can hide a part of /proc");
        }
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let stage = Stage::new(SandboxChoice::Bubblewrap, |builder| builder);
        assert_eq!(stage.computer.open_sandbox().unwrap().level, SandboxLevel::BubblewrapSharedProc);
        let own = std::process::id();
        let ran = stage
            .run(&format!("cat /proc/{own}/environ /proc/{own}/root/etc/shadow /proc/1/root/etc/shadow"))
            .await;
        assert_eq!(ran.code(), 1);
        assert!(ran.output().lines().all(|line| line.ends_with("Permission denied")), "{}", ran.text);
    });
}
