//! What a command finds around it.

use std::fs;

use serde_json::json;
use tool_std::computer::sandbox::SandboxChoice;

use crate::stage::{Stage, sandboxes};

#[tokio::test]
async fn nothing_comes_from_the_environment_of_this_program() {
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some() || std::env::var_os("TMPDIR").is_some());
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("env | cut -d= -f1 | sort").await;
        let mut names: Vec<_> = ran.output().lines().collect();
        // The shell's own.
        names.retain(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
        let mut expected = vec!["HOME", "LANG", "PATH", "SHELL", "TERM", "WORKER_HOME", "WORKER_WORKSPACE"];
        if stage.level == "landlock" {
            expected.insert(5, "TMPDIR");
        }
        assert_eq!(names, expected, "{}", stage.level);
    }
}

#[tokio::test]
async fn later_layers_lie_over_earlier_ones() {
    let stage = Stage::new(SandboxChoice::None, |builder| {
        builder
            .env("FROM_OPERATOR", "operator")
            .env("FROM_BOTH", "operator")
            .env("LANG", "C")
            .trusted_env("WORKER_TOKEN", "trusted")
    });
    let ran = stage
        .run_with(json!({
            "command": "printf '%s\\n' \"$FROM_OPERATOR\" \"$FROM_BOTH\" \"$LANG\" \"$WORKER_TOKEN\" \"$QUOTED\"",
            "env": {"FROM_BOTH": "call", "QUOTED": "it's \"$HOME\"\n`id`"},
        }))
        .await;
    assert_eq!(ran.output(), "operator\ncall\nC\ntrusted\nit's \"$HOME\"\n`id`");
}

#[tokio::test]
async fn a_path_that_is_set_survives_the_login_shell() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder.env("PATH", "/of/the/operator"));
    assert_eq!(stage.run("echo $PATH").await.output(), "/of/the/operator");
    let ran = stage.run_with(json!({"command": "echo $PATH", "env": {"PATH": "/of/the/call:/bin"}})).await;
    assert_eq!(ran.output(), "/of/the/call:/bin");
}

#[tokio::test]
async fn names_of_others_are_refused() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    for (name, says) in [
        ("HOME", "it is the home of the computer"),
        ("WORKER_X", "names with `WORKER_` are the host's"),
        ("UID", "shells make its value themselves"),
        ("OPTIND", "shells make its value themselves"),
        ("1X", "begin with no digit"),
        ("A B", "made of letters"),
        ("", "made of letters"),
        ("X; touch /tmp/x", "made of letters"),
    ] {
        let call = stage.call(json!({"command": "true", "env": {name: "x"}})).await;
        assert!(call.model_text.contains(says), "{}", call.model_text);
    }
    let set_up_wrongly = [
        Stage::new(SandboxChoice::None, |builder| builder.env("WORKER_X", "")),
        Stage::new(SandboxChoice::None, |builder| builder.env("a-b", "")),
        Stage::new(SandboxChoice::None, |builder| builder.trusted_env("TOKEN", "")),
    ];
    for stage in set_up_wrongly {
        let call = stage.call(json!({"command": "true"})).await;
        assert!(
            call.model_text.contains("commands cannot run, since they are set up wrongly"),
            "{}",
            call.model_text
        );
    }
}

#[tokio::test]
async fn values_are_on_no_command_line_and_reach_nothing_outside_of_the_sandbox() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder.trusted_env("WORKER_TOKEN", "very-secret"));
        // The shell around the login shell, and in bubblewrap the first process.
        let around = if stage.level == "bubblewrap" { "$PPID 1" } else { "$PPID" };
        let command = format!(
            "for p in $$ {around}; do tr '\\0' ' ' < /proc/$p/cmdline; echo; done; for p in {around}; do tr '\\0' ' ' < \
             /proc/$p/environ; done"
        );
        let env = json!({"LD_LIBRARY_PATH": "/of/the/call"});
        let ran = stage.run_with(json!({"command": command, "env": env})).await;
        assert!(ran.output().contains("\n/bin/sh -s "), "{}: {}", stage.level, ran.text);
        assert!(!ran.output().contains("very-secret"), "{}: {}", stage.level, ran.text);
        assert!(!ran.output().contains("/of/the/call"), "{}: {}", stage.level, ran.text);
    }
}

#[tokio::test]
async fn the_shell_is_a_login_shell_without_state_and_input() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        fs::write(stage.folder.path().join(".profile"), "greeting=welcome\n").unwrap();
        assert_eq!(
            stage.run("echo $greeting; shopt -q login_shell && echo login").await.output(),
            "welcome\nlogin"
        );
        assert_eq!(stage.run("cd /; export A=1; echo $A").await.output(), "1");
        assert_eq!(stage.run("echo \"<$A>\"; test $PWD = $WORKER_WORKSPACE").await.output(), "<>");
        assert_eq!(
            stage.run("cat; read x || echo nothing to read; tty").await.output(),
            "nothing to read\nnot a tty"
        );
        assert_eq!(
            stage.run("echo x > /dev/tty || echo no terminal").await.output().lines().last(),
            Some("no terminal")
        );
    }
}

#[tokio::test]
async fn programs_find_signals_files_and_limits_as_in_any_shell() {
    // A file that all programs started from here inherit.
    let kept = fs::File::open("/dev/zero").unwrap();
    rustix::io::fcntl_setfd(&kept, rustix::io::FdFlags::empty()).unwrap();
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage
            .run("yes | head -1; echo ${PIPESTATUS[0]}; ls /proc/self/fd | tr '\\n' ' '; ulimit -c")
            .await;
        // The last file is the folder that is listed.
        assert_eq!(ran.output(), "y\n141\n0 1 2 3 0", "{}", stage.level);
    }
}
