//! Runs the program.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Standard output of a run that must go well.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// The same, as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.good()).unwrap()
    }

    /// Standard error of a run that must end with `code`.
    #[track_caller]
    pub(crate) fn refused(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.stderr
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The program with these arguments, without a terminal, and without the variables that decide on colours.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command line on a terminal of its own, 80 columns wide, with a program named `worker-tools` in reach.
#[cfg(unix)]
pub(crate) fn on_a_terminal(line: &str) -> Command {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_worker-tools"));
    let path =
        std::env::join_paths([program.parent().unwrap(), "/usr/bin".as_ref(), "/bin".as_ref()]).unwrap();
    let mut script = Command::new("script");
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        script.env_remove(variable);
    }
    // `exec`, so that Ctrl-C meets the program alone: some shells end by it themselves, whatever the program makes of it.
    let line = format!("stty rows 40 cols 80; exec {line}");
    script
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("PATH", path)
        .env("TERM", "xterm");
    script.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    script
}

/// Reads until `expected` was shown; adds all that was shown to `shown`.
#[cfg(unix)]
pub(crate) fn until(stdout: &mut impl std::io::Read, shown: &mut String, expected: &str) {
    let (from, mut byte) = (shown.len(), [0]);
    let mut bytes = Vec::new();
    while !String::from_utf8_lossy(&bytes).contains(expected) {
        assert_eq!(stdout.read(&mut byte).unwrap(), 1, "{expected:?} does not come after {shown:?}");
        bytes.push(byte[0]);
        shown.truncate(from);
        shown.push_str(&String::from_utf8_lossy(&bytes));
    }
}

/// Runs it without input.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    command(arguments).output().unwrap().into()
}

/// Runs it on `input`.
pub(crate) fn run_on(input: &str, arguments: &[&str]) -> Ran {
    let mut program = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let input = input.to_owned();
    // It may stop reading early.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}
