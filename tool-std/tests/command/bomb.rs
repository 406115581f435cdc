//! Commands that multiply.

use serde_json::json;
use tool_std::computer::sandbox::SandboxChoice;

use crate::stage::{NO_GRACE, Stage, assert_gone, is_full_size, sandboxes, token};

/// A computer whose commands have at most 60 processes, if that can be kept here.
async fn bounded(choice: SandboxChoice) -> Option<Stage> {
    let stage = Stage::new(choice, |builder| builder.process_limit(60).kill_after(NO_GRACE));
    let ran = stage.run("true").await;
    let limit = &ran.details["sandbox"]["process_limit"];
    if limit["by"] == "unlimited" {
        eprintln!(
            "not tested with {}: processes cannot be bounded here, and the details say so",
            stage.level
        );
        return None;
    }
    assert_eq!(limit["max"], 60);
    Some(stage)
}

#[tokio::test]
async fn the_number_of_processes_is_bounded() {
    for choice in sandboxes() {
        let Some(stage) = bounded(choice).await else { continue };
        let token = token();
        let starts =
            format!("i=0; while [ $i -lt 200 ]; do sleep {token} & i=$((i+1)); done; echo all started");
        // `sh` gives up at once where bash tries for seconds.
        let ran = stage.run(&format!("sh -c '{starts}'")).await;
        assert!(!ran.output().contains("all started"), "{}: {}", stage.level, ran.text);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn a_fork_bomb_ends_with_its_command() {
    let timeout = if is_full_size() { 20 } else { 1 };
    let bombs = [
        ":(){ :|:& };: ; sleep TOKEN",
        "bomb(){ setsid sh -c 'sleep TOKEN' & bomb & bomb; }; bomb",
        "trap '' TERM; b(){ b & b & sleep TOKEN; }; b",
    ];
    for choice in sandboxes() {
        let Some(stage) = bounded(choice).await else { continue };
        for bomb in bombs {
            let token = token();
            let command = bomb.replace("TOKEN", &token);
            let ran = stage.run_with(json!({"command": command, "timeout": timeout})).await;
            assert!(!ran.text.contains("could not be stopped"), "{}: {bomb}: {}", stage.level, ran.text);
            assert_gone(&token);
        }
        assert_eq!(stage.run("echo well").await.output(), "well");
    }
}
