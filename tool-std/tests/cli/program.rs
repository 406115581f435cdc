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
