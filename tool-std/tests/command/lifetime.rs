//! When a command ends, and that nothing of it runs on.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use tool_runtime::testing::TestCall;
use tool_runtime::{CallError, CancellationToken, DispatchOptions, Events, ToolCall, ToolSet, dispatch};
use tool_std::computer::{command, sandbox::SandboxChoice};

use crate::stage::{
    NO_GRACE, Stage, again, assert_gone, enclosing, is_full_size, is_root, read_pipe, sandboxes, shells,
    token, wait_until_none, with_token,
};

/// Runs what must be stopped: after two seconds, so that it has begun also where much else runs.
async fn stopped(stage: &Stage, text: &str) -> crate::stage::Ran {
    stage.run_with(json!({"command": text, "timeout": 2})).await
}

#[tokio::test]
async fn a_command_is_asked_to_end_when_its_time_is_up() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let ran =
            stopped(&stage, &format!("trap 'echo ending; exit 0' TERM; echo begun; sleep {token} & wait"))
                .await;
        assert_eq!((ran.code(), ran.output()), (124, "begun\nending"), "{}", stage.level);
        assert_eq!(ran.details["timed_out"], true);
        let says = "timeout: stopped after 2 s; do less in one call, or give a larger `timeout` if it needs the time";
        assert_eq!(ran.head().last(), Some(&says));
        assert_gone(&token);
    }
}

#[tokio::test]
async fn one_that_ignores_it_is_killed() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder.kill_after(NO_GRACE)), token());
        let ran = stopped(&stage, &format!("trap '' TERM; sleep {token}; sleep {token}")).await;
        assert_eq!((ran.code(), ran.output()), (137, "(no output)"), "{}", stage.level);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn children_have_their_time_to_end_although_the_shell_has_ended() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let cleans_up = "bash -c 'trap \"sleep 0.2; echo cleaned up; exit\" TERM; while :; do :; done'";
        let ran = stopped(&stage, &format!("{cleans_up}; echo never")).await;
        assert_eq!((ran.code(), ran.output()), (124, "cleaned up"), "{}", stage.level);
    }
}

#[tokio::test]
async fn what_the_shell_leaves_running_does_not_hold_the_call_and_ends_with_it() {
    let ways = [
        "sleep TOKEN & echo done",
        "sleep TOKEN >/dev/null 2>&1 & echo done",
        "(trap '' TERM HUP; sleep TOKEN) & echo done",
        "setsid sleep TOKEN & echo done",
        "setsid -f sleep TOKEN; echo done",
        "nohup sleep TOKEN >&- 2>&- & echo done",
        "env -i setsid -f setsid -f sleep TOKEN >/dev/null 2>&1 <&-; echo done",
        "python3 -c 'import os\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: os.execvpe(\"sleep\", [\"sleep\", \"TOKEN\"], {})' ; echo done",
    ];
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        for way in ways {
            let token = token();
            let ran = stage.run(&way.replace("TOKEN", &token)).await;
            assert_eq!((ran.code(), ran.output()), (0, "done"), "{}: {way}", stage.level);
            assert_eq!(with_token(&token), [], "{}: {way}", stage.level);
        }
        let ran = stage.run("sleep 1000 & sleep 1000 &").await;
        let says =
            "note: 2 programs still running when the shell ended were stopped; nothing runs on after a call";
        assert_eq!(ran.head().last(), Some(&says), "{}", stage.level);
    }
}

/// The mark by which processes are found is a limit that they can lower.
#[tokio::test]
async fn a_program_that_takes_off_its_mark_is_found_by_its_group_or_namespace() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let ran = stage
            .run(&format!("ulimit -x 5; env -i setsid -f sleep {token} >/dev/null 2>&1; echo done"))
            .await;
        if stage.level != "bubblewrap" && ran.details["sandbox"]["process_limit"]["by"] != "cgroup" {
            eprintln!("not promised with {} where there are no control groups", stage.level);
            with_token(&token)
                .into_iter()
                .for_each(|pid| rustix::process::kill_process(pid, Signal::KILL).unwrap());
            continue;
        }
        assert_eq!(with_token(&token), [], "{}: {}", stage.level, ran.text);
    }
}

#[tokio::test]
async fn a_shell_that_closes_its_streams_and_stays_is_waited_for_and_stopped() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let ran = stage.run("echo seen; exec >&- 2>&-; sleep 0.3; exit 5").await;
        assert_eq!((ran.code(), ran.output()), (5, "seen"), "{}", stage.level);
        let ran = stopped(&stage, &format!("echo seen; exec >&- 2>&- <&-; sleep {token}")).await;
        assert_eq!((ran.code(), ran.output()), (124, "seen"), "{}", stage.level);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn what_reads_the_output_of_the_shell_may_finish() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("exec > >(sleep 0.1; tr a-z A-Z); echo late").await;
        assert_eq!(ran.output(), "LATE", "{}", stage.level);
    }
}

#[tokio::test]
async fn a_command_that_kills_the_shells_around_it_is_over() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let ran = stage.run(&format!("kill -9 $PPID; sleep {token}")).await;
        assert_eq!(ran.code(), 137, "{}", stage.level);
        assert_gone(&token);
        let ran = stage.run(&format!("sleep {token} & kill -9 0")).await;
        assert_eq!(ran.code(), 137, "{}", stage.level);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn a_stopped_program_is_ended_too() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let ran = stopped(&stage, &format!("sleep {token} & kill -STOP $!; kill -STOP $$")).await;
        assert_eq!(ran.code(), 124, "{}", stage.level);
        assert_gone(&token);
    }
}

/// Runs what never ends by itself, cancels it once it says that it runs, and gives what came of the call.
async fn cancelled(stage: &Stage, text: &str) -> Result<tool_runtime::CallOutput, CallError> {
    let pipe = stage.pipe("running");
    let set = ToolSet::new(vec![command(stage.computer.clone())]).unwrap();
    let arguments = json!({"command": text}).to_string();
    let asked = vec![ToolCall::new("test_call", "command", &arguments)];
    let cancel = CancellationToken::new();
    let (options, events) = (DispatchOptions::new(), Events::none());
    let calls = dispatch(&set, asked, &options, &events, &cancel);
    let canceller = async {
        read_pipe(&pipe).await;
        cancel.cancel();
    };
    let (mut results, ()) = tokio::join!(calls, canceller);
    std::fs::remove_file(pipe).unwrap();
    results.pop().unwrap().outcome
}

#[tokio::test]
async fn cancelling_stops_everything_the_command_started() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        for way in [
            "sleep TOKEN & echo > running; sleep TOKEN",
            "setsid -f sleep TOKEN; echo > running; sleep TOKEN",
            "trap '' TERM; sleep TOKEN & echo > running; wait",
            "echo > running; exec 1>&- 2>&-; sleep TOKEN",
        ] {
            let token = token();
            let outcome = cancelled(&stage, &way.replace("TOKEN", &token)).await;
            assert!(matches!(outcome, Err(CallError::Cancelled(_))), "{outcome:?}");
            assert_gone(&token);
        }
    }
}

#[tokio::test]
async fn a_cancelled_command_may_clean_up() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let outcome = cancelled(
            &stage,
            "trap 'echo > cleaned; exit' TERM; echo > running; while :; do sleep 0.01; done",
        )
        .await;
        assert!(outcome.is_err());
        assert!(stage.folder.path().join("cleaned").exists(), "{}", stage.level);
    }
}

/// Polls `call` until it has been asked `polls` times, then drops it. `None` if it was done before.
fn dropped_after(polls: usize, call: impl Future<Output = TestCall>) -> Option<()> {
    let mut call = pin!(call);
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if call.as_mut().poll(&mut context).is_ready() {
            return None;
        }
    }
    Some(())
}

#[tokio::test]
async fn dropped_at_any_poll_nothing_survives() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let text = format!("setsid -f sleep {token}; trap '' TERM; sleep {token}");
        for polls in 0..20 {
            dropped_after(polls, stage.call(json!({"command": text}))).unwrap();
        }
        wait_until_none("the shells of dropped calls", shells);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn dropped_at_any_moment_nothing_survives() {
    let moments = if is_full_size() { 300 } else { 40 };
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let text = format!("setsid -f sleep {token}; trap '' TERM; sleep {token} & wait");
        for moment in 0..moments {
            let limit = Duration::from_millis(moment * 4);
            // The time is what is tried, not what is waited for.
            let ended = tokio::time::timeout(limit, stage.call(json!({"command": text}))).await;
            assert!(ended.is_err());
        }
        wait_until_none("the shells of dropped calls", shells);
        assert_gone(&token);
    }
}

#[tokio::test]
async fn dropped_while_it_runs_all_is_killed_before_the_drop_returns() {
    for choice in sandboxes() {
        let (stage, token) = (Stage::new(choice, |builder| builder), token());
        let pipe = stage.pipe("running");
        let text = format!("setsid -f sleep {token}; trap '' TERM; sleep {token} & echo > running; wait");
        let call = tokio::spawn({
            let tool = command(stage.computer.clone());
            async move { tool_runtime::testing::call(&tool, json!({"command": text})).await }
        });
        read_pipe(&pipe).await;
        assert!(!with_token(&token).is_empty());
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
        assert_gone(&token);
    }
}

/// Without root's power other parts of the kernel do the work: user namespaces, limits of the user.
#[test]
fn all_of_it_holds_for_a_user_who_is_not_root() {
    if !is_root() || enclosing().is_empty() {
        eprintln!("not tested again, since this is no root");
        return;
    }
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    let tests = [
        "lifetime::a_command_is_asked_to_end_when_its_time_is_up",
        "lifetime::one_that_ignores_it_is_killed",
        "lifetime::what_the_shell_leaves_running_does_not_hold_the_call_and_ends_with_it",
        "lifetime::a_program_that_takes_off_its_mark_is_found_by_its_group_or_namespace",
        "lifetime::cancelling_stops_everything_the_command_started",
        "lifetime::dropped_at_any_moment_nothing_survives",
        "escape::nothing_outside_is_read",
        "escape::nothing_outside_is_written",
        "bomb::the_number_of_processes_is_bounded",
        "output::long_output_is_cut_and_all_of_it_saved",
        "environment::nothing_comes_from_the_environment_of_this_program",
    ];
    again(&user, &tests, None);
}

/// A command that runs commands itself: the outer one still finds all of them.
#[test]
fn commands_of_commands_end_with_the_outer_one() {
    const INSIDE: &str = "WORKER_INNER";
    if let Ok(token) = std::env::var(INSIDE) {
        let stage = Stage::new(SandboxChoice::None, |builder| builder);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(stage.run(&format!(
            "setsid -f sleep {token}; echo > {}/running; sleep {token}",
            std::env::var("OUTER").unwrap()
        )));
        return;
    }
    let token = token();
    let stage = Stage::new(SandboxChoice::None, |builder| builder.trusted_env(INSIDE, &token));
    let program = std::env::current_exe().unwrap();
    let text = format!(
        "export OUTER=$PWD; {} --exact lifetime::commands_of_commands_end_with_the_outer_one",
        program.display()
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let outcome = runtime.block_on(cancelled(&stage, &text));
    assert!(outcome.is_err());
    assert_gone(&token);
}
